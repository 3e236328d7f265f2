import RealmStorage

/// The forms in which a schema can be written. The raw values are the words of `schema dump --format`.
public enum SchemaFormat: String, CaseIterable, Sendable {
  /// A listing for people.
  case text
  /// The SDKs' schema objects as JSON, which is also the form `--schema` reads.
  case json
  /// What the reference engine's own tool prints, byte for byte; like there, JSON only where names need no escapes.
  case coreJSON = "core-json"
  /// One JSON schema per class with its relationships, for App Services.
  case appServices = "app-services"
  case javaScript = "js"
  case typeScript = "ts"
  case swift
  case kotlin
  case java
  case csharp
  case dart
  /// A class diagram for Mermaid.
  case mermaid
  /// A graph for Graphviz.
  case dot
  /// Tables for SQLite.
  case sql

  /// Writes a schema in this form.
  ///
  /// Any schema can be written, also one with names that are no text and with links that lead nowhere. What a form
  /// cannot express is said in the result's notes, and in the text itself where the form has comments.
  ///
  /// ```swift
  /// let models = SchemaFormat.swift.text(of: schema)
  /// ```
  public func text(of schema: Schema, options: SchemaTextOptions = SchemaTextOptions()) -> SchemaText {
    var text = SchemaText()
    form(options).write(schema, to: &text)
    return text
  }

  private func form(_ options: SchemaTextOptions) -> any SchemaForm {
    switch self {
    case .text: SchemaListing(includesInternal: options.includesInternal)
    case .json: SchemaJSON()
    case .coreJSON: CoreSchemaJSON()
    case .appServices: AppServicesSchema(service: options.service, database: options.database)
    case .javaScript: JavaScriptModels()
    case .typeScript: TypeScriptModels()
    case .swift: SwiftModels()
    case .kotlin: KotlinModels()
    case .java: JavaModels()
    case .csharp: CSharpModels()
    case .dart: DartModels()
    case .mermaid: MermaidDiagram()
    case .dot: GraphvizDiagram()
    case .sql: SQLSchema()
    }
  }
}

/// What can be chosen about the text of a schema.
public struct SchemaTextOptions: Hashable, Sendable {
  /// Whether the listing shows tables that are no classes.
  public var includesInternal: Bool
  /// The data source that App Services' relationships name.
  public var service: String
  /// The database that App Services' relationships name.
  public var database: String

  public init(includesInternal: Bool = false, service: String = "mongodb-atlas", database: String = "database") {
    self.includesInternal = includesInternal
    self.service = service
    self.database = database
  }
}

/// One way to write a schema: a type per form, which alone knows the form's syntax.
protocol SchemaForm: Sendable {
  func write(_ schema: Schema, to text: inout SchemaText)
}
