import RealmModels
import RealmStorage
import RealmSystem

/// One text of an export: for the tabular formats, that of one table or of one of its collections.
package struct ExportText: Sendable {
  /// In a folder, the name of its file.
  package let fileName: String
  package let options: ExportOptions
}

extension ExportOptions {
  /// The texts that an export consists of: one for all tables, or for tabular formats one per table.
  package var texts: [ExportText] {
    guard format.isTabular else { return [ExportText(fileName: "", options: self)] }
    return tables.map { table in
      var options = self
      options.tables = [table]
      return ExportText(fileName: fileName(table.schema.displayName), options: options)
    }
  }

  /// The same in the relational form: a text for each of its tables.
  package func texts(of plan: RelationalPlan) -> [ExportText] {
    let numbers = plan.relational.classes.enumerated().flatMap { position, table in
      [(table.number, position)] + table.collectionNumbers.compactMap { $0.map { ($0, position) } }
    }
    let names = plan.relational.tables.map(\.sqlName)
    let tables = numbers.map { number, position in
      text(RelationalText(plan: plan, number: number, position: position), named: names[number])
    }
    return tables
      + RelationalMeta.allCases.map { meta in
        text(
          RelationalText(plan: plan, number: plan.relational.number(of: meta), position: nil, meta: meta),
          named: meta.name)
      }
  }

  private func text(_ relation: RelationalText, named name: String) -> ExportText {
    var options = self
    options.relation = relation
    options.tables = relation.tables
    options.keys = relation.isWhole ? nil : keys
    return ExportText(fileName: fileName(RealmString(name)), options: options)
  }

  private func fileName(_ name: RealmString) -> String { FileName.part(for: name) + "." + format.rawValue }
}

/// Names of classes and properties as parts of file names.
package enum FileName {
  /// The name, with `%` and two hex digits for each byte that some file system or shell gives another meaning, or that
  /// would be invisible: control characters, and characters that change the direction of text.
  static func part(for name: RealmString) -> String {
    var bytes: [UInt8] = []
    func escape(_ unseen: some Sequence<UInt8>) {
      for byte in unseen {
        let digits = String(byte, radix: 16, uppercase: true)
        bytes += "%".utf8
        bytes += (digits.utf8.count < 2 ? "0" + digits : digits).utf8
      }
    }
    guard let text = String(utf8: name.utf8) else {
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

  /// The class name that a part of a file name encodes.
  package static func name(ofPart part: String) -> RealmString {
    let bytes = SystemText.bytes(of: part)
    var name: [UInt8] = []
    var index = 0
    while index < bytes.count {
      let digits = String(decoding: bytes[index...].dropFirst().prefix(2), as: UTF8.self)
      if bytes[index] == UInt8(ascii: "%"), digits.utf8.count == 2, let byte = UInt8(digits, radix: 16) {
        name.append(byte)
        index += 3
      } else {
        name.append(bytes[index])
        index += 1
      }
    }
    return RealmString(utf8: name)
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
