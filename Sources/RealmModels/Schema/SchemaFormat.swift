import RealmStorage

/// The forms in which a schema can be written. The raw values are the words of `schema dump --format`.
package enum SchemaFormat: String, CaseIterable, Sendable {
  case text
  case json
  /// JSON only where names need no escapes.
  case coreJSON = "core-json"
  case appServices = "app-services"
  case javaScript = "js"
  case typeScript = "ts"
  case swift
  case objectiveC = "objc"
  case kotlin, java, csharp, dart, mermaid, dot, sql, grdb, room
  case swiftData = "swiftdata"

  /// For the help.
  package var summary: String {
    switch self {
    case .text: "Readable listing"
    case .json: "Schema file, as --schema reads it; the form of Realm JavaScript"
    case .coreJSON: "JSON of Realm Core, with internal tables"
    case .appServices: "JSON schemas and relationships for App Services"
    case .javaScript: "Realm JavaScript schema objects"
    case .typeScript: "Realm TypeScript classes"
    case .swift: "Realm Swift classes"
    case .objectiveC: "Realm Objective-C classes"
    case .kotlin: "Realm Kotlin classes"
    case .java: "Realm Java classes"
    case .csharp: "Realm .NET classes"
    case .dart: "Realm Dart classes"
    case .mermaid: "Mermaid class diagram"
    case .dot: "Graphviz graph"
    case .sql: "Tables for SQLite"
    case .grdb: "GRDB records for the exported SQLite file"
    case .room: "Room entities for export --for room"
    case .swiftData: "SwiftData models, with code to import a SQLite export"
    }
  }

  /// Writes a schema in this form.
  ///
  /// Any schema can be written, also one with names that are not text and with links that lead nowhere. What a form
  /// cannot express is said in the result's notes, and in the text itself where the form has comments.
  ///
  /// ```swift
  /// let models = SchemaFormat.swift.text(of: schema)
  /// ```
  package func text(of schema: Schema, options: SchemaTextOptions = SchemaTextOptions()) -> SchemaText {
    var text = SchemaText()
    form(options).write(schema, to: &text)
    return text
  }

  private func form(_ options: SchemaTextOptions) -> any SchemaForm {
    switch self {
    case .text:
      SchemaListing(
        includesInternal: options.includesInternal, unreadableClassCount: options.unreadableClassCount,
        isVersionUnreadable: options.isVersionUnreadable)
    case .json: SchemaJSON()
    case .coreJSON: CoreSchemaJSON()
    case .appServices: AppServicesSchema(service: options.service, database: options.database)
    case .javaScript: JavaScriptModels()
    case .typeScript: TypeScriptModels()
    case .swift: SwiftModels()
    case .objectiveC: ObjectiveCModels()
    case .kotlin: KotlinModels()
    case .java: JavaModels()
    case .csharp: CSharpModels()
    case .dart: DartModels()
    case .mermaid: MermaidDiagram()
    case .dot: GraphvizDiagram()
    case .sql: SQLSchema(whole: options.whole)
    case .grdb: GRDBRecords(whole: options.whole)
    case .room: RoomEntities(whole: options.whole)
    case .swiftData: SwiftDataModels(whole: options.whole)
    }
  }
}

/// Choices for the text of a schema.
package struct SchemaTextOptions: Hashable, Sendable {
  /// Whether the listing shows tables that are not classes.
  package var includesInternal: Bool
  /// The data source that App Services' relationships name.
  package var service: String
  /// The database that App Services' relationships name.
  package var database: String
  /// The whole schema of the realm, if only a part of it is written; `sql` needs it for links to other classes.
  package var whole: Schema?
  /// How many classes the schema lacks, because they cannot be read.
  package var unreadableClassCount = 0
  /// Whether the schema version of the realm cannot be read.
  package var isVersionUnreadable = false

  package init(includesInternal: Bool = false, service: String = "mongodb-atlas", database: String = "database") {
    (self.includesInternal, self.service, self.database) = (includesInternal, service, database)
  }
}

/// One way to write a schema: a type for each form, which alone knows the form's syntax.
protocol SchemaForm: Sendable {
  func write(_ schema: Schema, to text: inout SchemaText)
}
