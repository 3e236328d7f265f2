import RealmStorage
import RealmTools

/// What an export of one realm consists of: one text, or for tables one text each.
struct ExportPlan {
  struct Text {
    /// In a folder, the name of its file.
    var fileName: String
    var options: ExportOptions
  }

  private(set) var texts: [Text] = []

  init(_ request: ExportCommand.Request, _ realm: OpenedRealm) {
    var options = ExportOptions(format: request.form.format, tables: Self.tables(request, realm))
    options.isSingleClass = request.classes.isOneClass
    options.links = request.form.links
    options.quotesBigIntegers = request.form.quotesBigIntegers
    options.showsObjectKeys = request.form.showsObjectKeys
    options.isPretty = request.form.isPretty
    options.threadCount = Processors.threadCount(forBytes: realm.bytes.physicalSize)
    if request.form.format.isTabular {
      addTables(options, explodes: request.form.explodesCollections)
    } else {
      texts = [Text(fileName: "", options: options)]
    }
  }

  /// Objects in all texts, for showing progress; a table that cannot be counted counts nothing.
  var objectCount: Int {
    texts.flatMap(\.options.tables).reduce(0) { $0 + ((try? $1.objectCount()) ?? 0) }
  }

  /// What is asked for by name is shown, also where a whole realm's export would leave it to its parents.
  private static func tables(_ request: ExportCommand.Request, _ realm: OpenedRealm) -> [Table] {
    let format = request.form.format
    guard case .only = request.classes else {
      return
        ExportOptions
        .allTables(of: realm.snapshot, format: format, includesInternal: request.includesInternalTables)
        .filter { request.classes.contains($0.schema.displayName) }
    }
    let tables = realm.snapshot.tables.filter { request.classes.contains($0.schema.displayName) }
    return format.isCore ? tables : tables.sorted { $0.schema.displayName < $1.schema.displayName }
  }

  private mutating func addTables(_ options: ExportOptions, explodes: Bool) {
    for table in options.tables {
      var options = options
      options.tables = [table]
      options.rows = explodes ? .objectsWithoutCollections : .objects
      add(options, [table.schema.displayName])
      guard explodes else { continue }
      for property in table.schema.properties where property.collection != nil {
        options.rows = .elements(of: property.name)
        add(options, [table.schema.displayName, property.name])
      }
    }
  }

  private mutating func add(_ options: ExportOptions, _ names: [RealmString]) {
    let name = names.map(FileName.part(for:)).joined(separator: ".")
    texts.append(Text(fileName: name + "." + options.format.rawValue, options: options))
  }
}

/// Names of classes and properties as parts of file names.
enum FileName {
  /// The name, with `%` and two hex digits for each byte that some file system or shell takes for something else.
  static func part(for name: RealmString) -> String {
    let isText = String(validating: name.utf8, as: UTF8.self) != nil
    var bytes: [UInt8] = []
    for (index, byte) in name.utf8.enumerated() {
      if isPlain(byte) || (byte >= 0x80 && isText) || (byte == UInt8(ascii: ".") && index > 0) {
        bytes.append(byte)
      } else {
        let digits = String(byte, radix: 16, uppercase: true)
        bytes += "%".utf8
        bytes += (digits.utf8.count < 2 ? "0" + digits : digits).utf8
      }
    }
    return SystemText.text(of: bytes)
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
