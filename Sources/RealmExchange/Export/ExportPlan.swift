import RealmStorage

/// One text of an export: for the tabular formats, that of one table or of one collection of it.
package struct ExportText: Sendable {
  /// In a folder, the name of its file.
  package let fileName: String
  package let options: ExportOptions
}

extension ExportOptions {
  /// What an export consists of: one text, or for tables one text each.
  ///
  /// - Parameter explodes: whether each collection is a text of its own.
  package func texts(explodes: Bool) -> [ExportText] {
    guard format.isTabular else { return [ExportText(fileName: "", options: self)] }
    return tables.flatMap { table in
      let objects = text(of: table, explodes ? .objectsWithoutCollections : .objects, [table.schema.displayName])
      guard explodes else { return [objects] }
      return [objects]
        + table.schema.properties.filter { $0.collection != nil }
        .map { text(of: table, .elements(of: $0.name), [table.schema.displayName, $0.name]) }
    }
  }

  private func text(of table: Table, _ rows: TableRows, _ names: [RealmString]) -> ExportText {
    var options = self
    (options.tables, options.rows) = ([table], rows)
    let name = names.map(FileName.part(for:)).joined(separator: ".")
    return ExportText(fileName: name + "." + format.rawValue, options: options)
  }
}

/// Names of classes and properties as parts of file names.
enum FileName {
  /// The name, with `%` and two hex digits for each byte that some file system or shell takes for something else, or that
  /// nobody would see: of control characters, and of those that change the direction of text.
  static func part(for name: RealmString) -> String {
    var bytes: [UInt8] = []
    func escape(_ unseen: some Sequence<UInt8>) {
      for byte in unseen {
        let digits = String(byte, radix: 16, uppercase: true)
        bytes += "%".utf8
        bytes += (digits.utf8.count < 2 ? "0" + digits : digits).utf8
      }
    }
    guard let text = String(validating: name.utf8, as: UTF8.self) else {
      for (index, byte) in name.utf8.enumerated() {
        if isPlain(byte) || isInnerDot(byte, index) { bytes.append(byte) } else { escape([byte]) }
      }
      return SystemText.text(of: bytes)
    }
    for (index, scalar) in text.unicodeScalars.enumerated() {
      let encoded = Array(String(scalar).utf8)
      let isKept = scalar.isASCII ? isPlain(encoded[0]) || isInnerDot(encoded[0], index) : isSeen(scalar)
      if isKept { bytes += encoded } else { escape(encoded) }
    }
    return SystemText.text(of: bytes)
  }

  private static func isInnerDot(_ byte: UInt8, _ index: Int) -> Bool { byte == UInt8(ascii: ".") && index > 0 }

  private static func isSeen(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator: false
    default: true
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: " "):
      true
    default: false
    }
  }
}
