/// The first 24 bytes of a realm, nothing of them believed (Docs/Format/1-container.md §1.1).
struct RawHeader: Sendable, Equatable {
  static let size = 24
  /// `T-DB`
  static let mnemonic = Array("T-DB".utf8)
  /// The same as a little-endian number.
  static let mnemonicNumber = mnemonic.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }

  let topRefs: (UInt64, UInt64)
  let mnemonic: UInt32
  let formats: (UInt8, UInt8)
  let flags: UInt8

  /// - Parameter bytes: at least 24; nil where there are fewer.
  init?(_ bytes: UnsafeRawBufferPointer) {
    guard bytes.count >= Self.size else { return nil }
    topRefs = (
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
    mnemonic = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
    formats = (bytes[20], bytes[21])
    flags = bytes[23]
  }

  static func == (left: RawHeader, right: RawHeader) -> Bool {
    left.topRefs == right.topRefs && left.mnemonic == right.mnemonic && left.formats == right.formats
      && left.flags == right.flags
  }
}

/// The validated head of a realm: which snapshot is the live one (Docs/Format/1-container.md §1.2–1.4).
public struct Header: Sendable, Equatable {
  /// Two shapes of a file.
  public enum Form: String, Sendable {
    /// As a commit leaves it: two slots for the top ref.
    case normal
    /// As a copy is written: the top ref in a footer.
    case streaming
  }

  /// Root of the live snapshot; null in a file without content.
  public let topRef: Ref
  /// The file format that goes with the live slot.
  public let format: UInt8
  public let form: Form

  /// The newest file format, that of all that is written.
  public static let newestFormat: UInt8 = 24

  static let footerSize = 16
  /// Magic of the streaming footer.
  static let footerCookie: UInt64 = 0x3034_1252_37E5_26C8
  /// Slot 0 of a streaming file.
  static let streamingSentinel = UInt64.max

  /// - Throws: `StorageError.notARealm` where a check of §1.4 fails, in the order the engine makes them.
  init(of store: ByteStore, wasDecrypted: Bool) throws {
    let size = UInt64(store.count)
    guard size > 0 else { throw StorageError.notARealm(.empty) }
    guard size >= RawHeader.size else { throw StorageError.notARealm(.tooSmall(size: size)) }
    guard size % 8 == 0 else { throw StorageError.notARealm(.oddSize(size: size)) }
    let start = try store.bytes(at: 0, length: RawHeader.size)
    guard let raw = RawHeader(UnsafeRawBufferPointer(start: start, count: RawHeader.size)) else {
      throw StorageError.notARealm(.tooSmall(size: size))
    }
    guard raw.mnemonic == RawHeader.mnemonicNumber else {
      throw StorageError.notARealm(.wrongMnemonic(wasDecrypted: wasDecrypted))
    }
    let isSecond = raw.flags & 1 != 0
    format = isSecond ? raw.formats.1 : raw.formats.0
    var top = isSecond ? raw.topRefs.1 : raw.topRefs.0
    if !isSecond, top == Self.streamingSentinel {
      form = .streaming
      top = try Self.topRefInFooter(of: store)
    } else {
      form = .normal
    }
    guard top % 8 == 0 else { throw StorageError.notARealm(.topRefUnaligned(topRef: top)) }
    guard top < size, top == 0 || top >= RawHeader.size else {
      throw StorageError.notARealm(.topRefOutside(size: size, topRef: top))
    }
    topRef = Ref(top)
  }

  private static func topRefInFooter(of store: ByteStore) throws -> UInt64 {
    let size = UInt64(store.count)
    guard store.count >= RawHeader.size + footerSize else {
      throw StorageError.notARealm(.streamingTooSmall(size: size))
    }
    let footer = try store.bytes(at: size - UInt64(footerSize), length: footerSize)
    let cookie = UInt64(littleEndian: footer.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    guard cookie == footerCookie else { throw StorageError.notARealm(.streamingFooter(cookie: cookie)) }
    return UInt64(littleEndian: footer.loadUnaligned(as: UInt64.self))
  }
}
