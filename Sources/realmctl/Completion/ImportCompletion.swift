import ArgumentParser
import RealmExchange
import RealmStorage
import RealmText

/// Completes the classes, properties and tables in options of an import: those of the realm and schema on the command
/// line, and those in the headers of its sources.
enum ImportCompletion {
  /// `Person.email`.
  static let property = CompletionKind.custom { words, index, _ in
    let line = TypedCommandLine(words, completing: index)
    return Names(line).paths { !$0.isCollection }.compactMap(ClassNameCompletion.candidate)
  }

  /// `Person.age=int?`: the property, and after the equals sign its type.
  static let type = CompletionKind.custom { words, index, prefix in
    pairs(words, index, prefix, left: { $0.paths { _ in true } }) { names, _ in
      PropertyType.allCases.compactMap(\.schemaNameToType) + names.classes.map(\.description)
    }
  }

  /// `Dog.owner=Person.email`: the link, and after the equals sign a property of its target.
  static let link = CompletionKind.custom { words, index, prefix in
    pairs(words, index, prefix, left: { $0.paths { $0.canBeLink } }) { names, left in
      let target = names.properties.first { "\($0.className).\($0.name)" == left }?.target
      return names.paths { $0.canIdentify && (target == nil || $0.className == target) }
    }
  }

  /// `people=Person`: a table of a database among the sources, and after the equals sign a class.
  static let table = CompletionKind.custom { words, index, prefix in
    pairs(words, index, prefix, left: { $0.tables }) { names, _ in names.classes.map(\.description) }
  }

  /// The whole word, or what follows the equals sign if the shell takes that as a word of its own.
  private static func pairs(
    _ words: [String], _ index: Int, _ prefix: String, left: (Names) -> [String], right: (Names, String) -> [String]
  ) -> [String] {
    let names = Names(TypedCommandLine(words, completing: index))
    let typed = TypedCommandLine.meaning(of: prefix)
    if let sign = typed.firstIndex(of: "=") {
      let (before, behind) = (String(typed[..<sign]), typed[typed.index(after: sign)...])
      return right(names, before).filter { $0.hasPrefix(behind) }.compactMap {
        ClassNameCompletion.candidate("\(before)=\($0)")
      }
    }
    // bash splits Dog.owner=Person into three words.
    let sign = words.indices.contains(index) && words[index] == "=" ? index : index - 1
    if words.indices.contains(sign), sign > 1, words[sign] == "=", !words[sign - 1].hasPrefix("-") {
      let before = TypedCommandLine.meaning(of: words[sign - 1])
      return right(names, before).compactMap(ClassNameCompletion.candidate)
    }
    return left(names).compactMap { ClassNameCompletion.candidate($0 + "=") }
  }
}

/// What a command line names that an import can be told about.
private struct Names {
  struct Named {
    let className: RealmString
    let name: RealmString
    var isCollection = false
    var canBeLink = true
    var canIdentify = true
    var target: RealmString?
  }

  private(set) var properties: [Named] = []
  private(set) var classes: [RealmString] = []
  private(set) var tables: [String] = []

  /// It never asks or waits, and reads only the header of a source.
  init(_ line: TypedCommandLine) {
    let key = line.key
    for path in line.schemas where RealmSource.path(path).isRegularFile {
      guard let schema = try? ClassNameCompletion.schema(ofFile: path, key) else { continue }
      for table in schema.classes { add(table) }
    }
    for path in line.sources where RealmSource.path(path).isRegularFile {
      switch SourceFormat(endingOf: path) {
      case .csv?, .tsv?: addHeader(of: path, line)
      case .sqlite?:
        guard let database = try? ForeignDatabase.tableNames(path) else { continue }
        tables += database
      default: continue
      }
    }
  }

  private mutating func add(_ table: TableSchema) {
    let name = table.displayName
    if !classes.contains(name) { classes.append(name) }
    for property in table.properties where !property.isComputed {
      let canIdentify = [.int, .string, .date, .objectID, .uuid].contains(property.type) && property.collection == nil
      properties.append(
        Named(
          className: name, name: property.name, isCollection: property.collection != nil,
          canBeLink: property.type == .object, canIdentify: canIdentify, target: property.targetClass))
    }
  }

  private mutating func addHeader(of path: String, _ line: TypedCommandLine) {
    let source = SourceArgument(path: path, className: line.className)
    let separator: UInt8 = SourceFormat(endingOf: path) == .tsv ? 9 : line.delimiter ?? UInt8(ascii: ",")
    guard let name = source.classOfRows,
      let columns = try? DelimitedSource.header(ofFile: path, separator: separator)
    else { return }
    if !classes.contains(name) { classes.append(name) }
    for column in columns where !properties.contains(where: { $0.className == name && $0.name == column }) {
      properties.append(Named(className: name, name: column))
    }
  }

  func paths(_ isWanted: (Named) -> Bool) -> [String] {
    properties.filter(isWanted).compactMap { named in
      // A name that is not UTF-8 text cannot be typed.
      let text = "\(named.className).\(named.name)"
      return RealmString(text).utf8 == named.className.utf8 + [UInt8(ascii: ".")] + named.name.utf8 ? text : nil
    }
  }
}

extension PropertyType {
  /// The name of the type for `--type`; nil for a type that it cannot set.
  fileprivate var schemaNameToType: String? {
    self == .object || self == .linkingObjects ? nil : schemaName
  }
}
