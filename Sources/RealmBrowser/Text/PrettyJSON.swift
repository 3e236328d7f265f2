import RealmPresentation
import RealmStorage

/// JSON in indented lines, and descriptions of other content of strings and data.
enum PrettyJSON {
  /// - Returns: nil for anything but a JSON document that begins with a bracket, and for one that is nested too deep.
  static func lines(of bytes: [UInt8]) -> [UInt8]? {
    var reader = Reader(bytes)
    guard reader.document() else { return nil }
    return reader.text
  }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0
    var text: [UInt8] = []
    private static let mostDepth = 200

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    mutating func document() -> Bool {
      skipBlanks()
      guard let first = next, first == UInt8(ascii: "{") || first == UInt8(ascii: "["), value(0) else { return false }
      skipBlanks()
      return place == bytes.count
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func skipBlanks() {
      while let byte = next, byte == 0x20 || byte == 0x0a || byte == 0x0d || byte == 0x09 { place += 1 }
    }

    private mutating func value(_ depth: Int) -> Bool {
      skipBlanks()
      guard depth < Self.mostDepth, let first = next else { return false }
      switch first {
      case UInt8(ascii: "{"): return members(depth, UInt8(ascii: "}"), named: true)
      case UInt8(ascii: "["): return members(depth, UInt8(ascii: "]"), named: false)
      case UInt8(ascii: "\""): return string()
      default: return word()
      }
    }

    private mutating func members(_ depth: Int, _ end: UInt8, named: Bool) -> Bool {
      take()
      skipBlanks()
      if next == end {
        take()
        return true
      }
      while true {
        breakLine(depth + 1)
        skipBlanks()
        if named {
          guard next == UInt8(ascii: "\""), string() else { return false }
          skipBlanks()
          guard next == UInt8(ascii: ":") else { return false }
          take()
          text.append(0x20)
        }
        guard value(depth + 1) else { return false }
        skipBlanks()
        guard let byte = next, byte == UInt8(ascii: ",") || byte == end else { return false }
        if byte == end {
          breakLine(depth)
          take()
          return true
        }
        take()
      }
    }

    private mutating func take() {
      text.append(bytes[place])
      place += 1
    }

    private mutating func breakLine(_ depth: Int) {
      text.append(0x0a)
      text.append(contentsOf: repeatElement(0x20, count: depth * 2))
    }

    private mutating func string() -> Bool {
      take()
      while let byte = next {
        if byte == UInt8(ascii: "\\") {
          take()
          guard next != nil else { return false }
        } else if byte == UInt8(ascii: "\"") {
          take()
          return true
        } else if byte < 0x20 {
          return false
        }
        take()
      }
      return false
    }

    /// A number, or `true`, `false`, `null`.
    private mutating func word() -> Bool {
      let start = place
      while let byte = next, (byte | 0x20) &- 0x61 < 26 || byte &- 0x30 < 10 || "+-.".utf8.contains(byte) { take() }
      let word = String(decoding: bytes[start..<place], as: UTF8.self)
      return ["true", "false", "null"].contains(word) || !word.isEmpty && word.first != "+" && Double(word) != nil
    }
  }
}

/// The kind of data, by its first bytes.
enum ContentKind {
  /// For example `PNG picture, 640×480`; nil for an unknown kind.
  static func name(of bytes: [UInt8], _ typography: Typography) -> String? {
    let size = { (width: Int, height: Int) in ", \(width)\(typography.times)\(height)" }
    func number(_ place: Int, _ count: Int, isLittle: Bool = false) -> Int {
      guard place + count <= bytes.count else { return 0 }
      let part = bytes[place..<place + count]
      return (isLittle ? Array(part.reversed()) : Array(part)).reduce(0) { $0 << 8 | Int($1) }
    }
    if begins(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]), bytes.count >= 24 {
      return "PNG picture" + size(number(16, 4), number(20, 4))
    }
    if begins(bytes, Array("GIF8".utf8)), bytes.count >= 10 {
      return "GIF picture" + size(number(6, 2, isLittle: true), number(8, 2, isLittle: true))
    }
    if begins(bytes, [0xff, 0xd8, 0xff]) {
      var place = 2
      while place + 9 < bytes.count, bytes[place] == 0xff {
        let marker = bytes[place + 1]
        if (0xc0...0xcf).contains(marker), ![0xc4, 0xc8, 0xcc].contains(marker) {
          return "JPEG picture" + size(number(place + 7, 2), number(place + 5, 2))
        }
        place += 2 + max(number(place + 2, 2), 2)
      }
      return "JPEG picture"
    }
    if begins(bytes, Array("RIFF".utf8)), bytes.count >= 12, bytes[8..<12].elementsEqual("WEBP".utf8) {
      return "WebP picture"
    }
    if bytes.count >= 12, bytes[4..<8].elementsEqual("ftyp".utf8) {
      let brand = String(decoding: bytes[8..<12], as: UTF8.self)
      if ["heic", "heix", "mif1"].contains(brand) { return "HEIC picture" }
    }
    if begins(bytes, Array("bplist00".utf8)) { return "binary property list" }
    if begins(bytes, Array("%PDF-".utf8)) { return "PDF document" }
    if begins(bytes, [0x1f, 0x8b]) { return "gzip" }
    if begins(bytes, Array("<?xml".utf8)) {
      let head = String(decoding: bytes.prefix(300), as: UTF8.self)
      return head.contains("<plist") ? "XML property list" : "XML"
    }
    return nil
  }

  private static func begins(_ bytes: [UInt8], _ signature: [UInt8]) -> Bool { bytes.starts(with: signature) }
}
