import Libc
import RealmSystem

extension ObjectID: ReadableFromText {
  /// 24 hexadecimal digits of either case.
  package init?(text bytes: UnsafeRawBufferPointer) {
    guard bytes.count == 24, let head = Hex.number(bytes[..<16]), let tail = Hex.number(bytes[16...]) else {
      return nil
    }
    self.init(head: head, tail: UInt32(truncatingIfNeeded: tail))
  }
}

extension RealmUUID: ReadableFromText {
  /// 32 hexadecimal digits of either case, either without dashes or with all four.
  package init?(text bytes: UnsafeRawBufferPointer) {
    switch bytes.count {
    case 32:
      guard let head = Hex.number(bytes[..<16]), let tail = Hex.number(bytes[16...]) else { return nil }
      self.init(head: head, tail: tail)
    case 36:
      let dash = UInt8(ascii: "-")
      guard bytes[8] == dash, bytes[13] == dash, bytes[18] == dash, bytes[23] == dash,
        let first = Hex.number(bytes[..<8]), let second = Hex.number(bytes[9..<13]),
        let third = Hex.number(bytes[14..<18]), let fourth = Hex.number(bytes[19..<23]),
        let fifth = Hex.number(bytes[24...])
      else { return nil }
      self.init(head: first &<< 32 | second &<< 16 | third, tail: fourth &<< 48 | fifth)
    default: return nil
    }
  }
}

extension ObjectID {
  /// Bytes of the text.
  package static let textLength = 24

  /// Writes the text, and returns the place after it.
  package func storeText(at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    start.storeHex(head, byteCount: 8).storeHex(UInt64(tail) &<< 32, byteCount: 4)
  }
}

extension RealmUUID {
  /// Bytes of the text.
  package static let textLength = 36

  /// Writes the text, and returns the place after it.
  package func storeText(at start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let dash = UInt8(ascii: "-")
    var place = start.storeHex(head, byteCount: 4).storeByte(dash)
    place = place.storeHex(head &<< 32, byteCount: 2).storeByte(dash)
    place = place.storeHex(head &<< 48, byteCount: 2).storeByte(dash)
    place = place.storeHex(tail, byteCount: 2).storeByte(dash)
    return place.storeHex(tail &<< 16, byteCount: 6)
  }
}

extension ObjectID: LosslessStringConvertible {
  /// The id that 24 hex digits of either case mean; nil for any other text.
  public init?(_ description: String) { self.init(text: description) }

  /// The 12 bytes as 24 hex digits in lower case.
  public var description: String { String.stored(Self.textLength) { storeText(at: $0) } }
}

extension ObjectID: Codable {
  /// Reads the text of `description`.
  public init(from decoder: any Decoder) throws { self = try .decoded(from: decoder) }

  /// Writes the text of `description`.
  public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}

extension RealmUUID: LosslessStringConvertible {
  /// The UUID that 32 hex digits of either case mean, with all four dashes or without any; nil for any other text.
  public init?(_ description: String) { self.init(text: description) }

  /// The 16 bytes as hex digits in lower case, in groups of 8, 4, 4, 4 and 12.
  public var description: String { String.stored(Self.textLength) { storeText(at: $0) } }
}

extension RealmUUID: Codable {
  /// Reads the text of `description`.
  public init(from decoder: any Decoder) throws { self = try .decoded(from: decoder) }

  /// Writes the text of `description`.
  public func encode(to encoder: any Encoder) throws { try encodeText(to: encoder) }
}

// MARK: New identifiers

extension ObjectID {
  /// The random part of the ids that a process makes, and the number of the next one.
  private struct Series {
    let process: Int32
    let random: UInt64
    var counter: UInt32

    init(process: Int32) {
      self.process = process
      random = .random(in: 0..<1 << 40)
      counter = .random(in: 0..<1 << 24)
    }
  }

  private static let series = Locked<Series?>(nil)

  /// A new id, as BSON says: the time in seconds since 1970 in 4 bytes, 5 bytes that are random for each process, and 3
  /// bytes that count from a random number.
  ///
  /// Ids of one process are different as long as it makes no more than 2^24 of them in a second, and those made later are
  /// greater, except within a second in which the counter starts again.
  public static func generate() -> ObjectID {
    let time = UInt32(truncatingIfNeeded: SystemClock.secondsSince1970)
    let process = getpid()
    let (random, counter) = series.withLock { series in
      // A child of this process has a copy of its series.
      var current = series.flatMap { $0.process == process ? $0 : nil } ?? Series(process: process)
      current.counter = (current.counter &+ 1) & 0xff_ffff
      series = current
      return (current.random, current.counter)
    }
    return ObjectID(
      head: UInt64(time) << 32 | random >> 8, tail: UInt32(truncatingIfNeeded: random & 0xff) << 24 | counter)
  }

  /// The time in front: seconds since 1970, in which `generate()` made the id.
  public var timestamp: Timestamp { Timestamp(seconds: Int64(head >> 32), nanoseconds: 0) }
}

extension RealmUUID {
  /// A new UUID of version 4 (RFC 9562 §5.4): 122 bits that are random.
  public static func generate() -> RealmUUID {
    let head = UInt64.random(in: .min ... .max) & 0xffff_ffff_ffff_0fff | 0x4000
    let tail = UInt64.random(in: .min ... .max) & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
    return RealmUUID(head: head, tail: tail)
  }
}
