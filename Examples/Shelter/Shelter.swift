// A realm made, filled, migrated and read, without an SDK or an engine: `swift run shelter-example FOLDER`.

import RealmStorage
import RealmTools

@main
struct Shelter {
  static func main() async {
    guard let folder = CommandLine.arguments.dropFirst().first else { return print("usage: shelter-example FOLDER") }
    do {
      let path = folder + "/shelter.realm"
      try create(path)
      try fill(path)
      try migrate(path)
      try await read(path)
    } catch { print("error: \(error)") }
  }

  /// The classes as the first version of an app has them.
  static let firstSchema = Schema(tables: [
    TableSchema(
      name: "class_Person",
      properties: [
        Property(name: "name", type: .string, index: .general),
        Property(name: "dogs", type: .object, collection: .list, target: "class_Dog"),
      ]),
    TableSchema(
      name: "class_Dog",
      properties: [
        Property(name: "id", type: .int, index: .general),
        Property(name: "name", type: .string),
        Property(name: "age", type: .int),
        Property(name: "birth", type: .date, isOptional: true),
      ],
      primaryKeyIndex: 0),
  ])

  /// Opens the realm like the first launch of the app: it does not exist yet, so it is created.
  static func create(_ path: String) throws {
    var configuration = RealmConfiguration(path: path)
    configuration.schema = firstSchema
    configuration.schemaVersion = 1
    let outcome = try RealmLaunch(configuration, LaunchOptions()).run()
    print("created: \(outcome.changesFile)")
  }

  /// Either everything in the closure is committed, or nothing.
  static func fill(_ path: String) throws {
    try Realm.write(at: path) { tx in
      let alice = try tx.create("Person", ["name": "Alice"])
      for (id, name, age) in [(1, "Rex", 3), (2, "Fido", 7)] {
        let dog = try tx.create("Dog", primaryKey: id, ["name": name, "age": age])
        try alice.append(dog, to: "dogs")
      }
    }
  }

  /// The app's second version has another name for a property, and another type for a second one.
  static func migrate(_ path: String) throws {
    var configuration = RealmConfiguration(path: path)
    var schema = firstSchema
    schema.tables[1].properties[2].type = .string
    schema.tables[1].properties[3].name = "born"
    configuration.schema = schema
    configuration.schemaVersion = 2
    configuration.migration = { migration in
      try migration.renameProperty(ofClass: "Dog", from: "birth", to: "born")
      try migration.enumerate("Dog") { old, new in
        try new.set("age", to: "\(old.get("age", as: Int.self)) years")
      }
    }
    let outcome = try RealmLaunch(configuration, LaunchOptions()).run()
    print("migrated: \(outcome.changesFile)")
  }

  static func read(_ path: String) async throws {
    let realm = try await Realm.open(at: path)
    print("version \(realm.schema.version ?? 0), file format \(realm.fileFormat)")
    for objects in realm.classes {
      print("\(objects.name): \(try objects.count())")
      try objects.forEach { object in
        print("  \(object.key.rawValue): \(object["name"]?.stringValue ?? "")")
        guard object.columns.contains("dogs") else { return }
        try object.links("dogs").forEach { dog in
          print("    has \(dog["name"]?.stringValue ?? ""), \(dog["age"]?.stringValue ?? "")")
        }
      }
    }
    guard let rex = try realm.objects("Dog").object(primaryKey: 1) else { return }
    for links in try rex.backlinks() {
      print("Rex is in \(links.objects.name).\(links.property) of \(try links.objects.count())")
    }
  }
}
