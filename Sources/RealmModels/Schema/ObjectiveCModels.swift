import RealmStorage
import RealmText

/// Model classes for Realm Objective-C 10.54: all interfaces, then all implementations.
struct ObjectiveCModels: SchemaForm {
  func write(_ schema: Schema, to text: inout SchemaText) {
    let plan = ModelPlan(of: schema, for: Self.dialect, heading: &text)
    text.line()
    text.line("#import <Realm/Realm.h>")
    let linked = plan.classes.flatMap(\.members).filter { $0.isExpressible && $0.property.type == .object }
    let named = Set(plan.classes.map(\.name.code) + linked.compactMap { $0.target?.code }).sorted()
    if !named.isEmpty {
      text.line()
      for name in named { text.line("@class \(name);") }
    }
    let collected = Set(linked.filter { $0.property.collection != nil }.compactMap { $0.target?.code }).sorted()
    if !collected.isEmpty {
      text.line()
      for name in collected { text.line("RLM_COLLECTION_TYPE(\(name))") }
    }
    for model in plan.classes { writeInterface(of: model, to: &text) }
    for model in plan.classes { writeImplementation(of: model, to: &text) }
  }

  // MARK: Interfaces

  private func writeInterface(of model: ModelClass, to text: inout SchemaText) {
    text.line()
    for comment in model.comments { text.line("// \(comment)") }
    let base = model.table.kind.choice(
      "RLMObject", embedded: "RLMEmbeddedObject", asymmetric: "RLMAsymmetricObject")
    text.line("@interface \(model.name.code) : \(base)")
    for member in model.members { member.write(declarations(of: member), "", to: &text) }
    text.line("@end")
  }

  private func declarations(of member: ModelMember) -> [String] {
    let (type, name) = (type(of: member), member.name.code)
    if member.property.isComputed { return ["@property (readonly) \(type)\(name);"] }
    var lines = ["@property \(type)\(name);"]
    // ARC would take what such a method returns for owned by the caller, or for the object itself.
    if Self.isOfMethodFamily(name) {
      lines.append("- (\(type.trimmingSpaces))\(name) __attribute__((objc_method_family(none)));")
    }
    return lines
  }

  /// With a space after it if one is required.
  private func type(of member: ModelMember) -> String {
    let property = member.property
    let target = member.target?.code ?? "RLMObject"
    if property.isComputed { return "RLMLinkingObjects<\(target) *> *" }
    let isLink = property.type == .object
    let element = isLink ? target + " *" : Self.objects[property.type]
    let marker = isLink ? target : Self.markers[property.type]
    switch property.collection {
    case .list: return "RLMArray<\(element)><\(marker)> *"
    case .set: return "RLMSet<\(element)><\(marker)> *"
    case .dictionary: return "RLMDictionary<NSString *, \(element)><RLMString, \(marker)> *"
    case nil: break
    }
    if let number = Self.numbers[property.type] {
      return property.isOptional ? "NSNumber<\(marker)> *" : number + " "
    }
    return element + (element.hasSuffix("*") ? "" : " ")
  }

  private static func isOfMethodFamily(_ name: String) -> Bool {
    ["alloc", "copy", "init", "mutableCopy", "new"].contains { prefix in
      let rest = name.drop { $0 == "_" }
      guard rest.hasPrefix(prefix) else { return false }
      return rest.dropFirst(prefix.count).first.map { !$0.isLowercase } ?? true
    }
  }

  /// Values that are not objects, if they cannot be null.
  private static let numbers: [PropertyType: String] = [
    .int: "NSInteger", .bool: "BOOL", .float: "float", .double: "double",
  ]

  private static let objects = TypeNames(
    int: "NSNumber *", bool: "NSNumber *", string: "NSString *", data: "NSData *", date: "NSDate *",
    float: "NSNumber *", double: "NSNumber *", decimal128: "RLMDecimal128 *", objectID: "RLMObjectId *",
    uuid: "NSUUID *", mixed: "id<RLMValue>", object: "RLMObject *")

  /// The protocols by which the SDK distinguishes types.
  private static let markers = TypeNames(
    int: "RLMInt", bool: "RLMBool", string: "RLMString", data: "RLMData", date: "RLMDate", float: "RLMFloat",
    double: "RLMDouble", decimal128: "RLMDecimal128", objectID: "RLMObjectId", uuid: "RLMUUID", mixed: "RLMValue",
    object: "RLMObject")

  // MARK: Implementations

  private func writeImplementation(of model: ModelClass, to text: inout SchemaText) {
    let members = model.members.filter(\.isExpressible)
    text.line()
    text.line("@implementation \(model.name.code)")
    if let key = members.first(where: \.isPrimaryKey) {
      method("NSString *", "primaryKey", Self.literal(key.name.name), to: &text)
    }
    method("NSArray<NSString *> *", "indexedProperties", members.filter { $0.index == .general }, to: &text)
    method("NSArray<NSString *> *", "requiredProperties", members.filter { isListedAsRequired($0.property) }, to: &text)
    let inverses = members.filter(\.property.isComputed).compactMap { member in
      member.origin.map { origin in
        "\(Self.literal(member.name.name)): [RLMPropertyDescriptor descriptorWithClass:"
          + "\(member.target?.code ?? "RLMObject").class propertyName:\(Self.literal(origin.name))]"
      }
    }
    if !inverses.isEmpty {
      method(
        "NSDictionary<NSString *, RLMPropertyDescriptor *> *", "linkingObjectsProperties",
        "@{\(inverses.joined(separator: ", "))}", to: &text)
    }
    if model.name.isMapped {
      method("NSString *", "_realmObjectName", "@" + StringEscapes.octal.literal(model.name.stored), to: &text)
    }
    let mapped = members.filter { !$0.property.isComputed && $0.name.isMapped }.map {
      "\(Self.literal($0.name.name)): @\(StringEscapes.octal.literal($0.name.stored))"
    }
    if !mapped.isEmpty {
      method(
        "NSDictionary<NSString *, NSString *> *", "_realmColumnNames", "@{\(mapped.joined(separator: ", "))}",
        to: &text)
    }
    text.line("@end")
  }

  private static func literal(_ name: String) -> String { "@" + StringEscapes.octal.literal(RealmString(name)) }

  private func method(_ type: String, _ name: String, _ members: [ModelMember], to text: inout SchemaText) {
    guard !members.isEmpty else { return }
    method(type, name, "@[\(members.map { Self.literal($0.name.name) }.joined(separator: ", "))]", to: &text)
  }

  private func method(_ type: String, _ name: String, _ value: String, to text: inout SchemaText) {
    text.line("+ (\(type))\(name) {")
    text.line("    return \(value);")
    text.line("}")
  }

  /// What would be optional without being listed: values that are objects, and elements of collections.
  private func isListedAsRequired(_ property: Property) -> Bool {
    guard !property.isOptional else { return false }
    switch property.type {
    case .int, .bool, .float, .double: return property.collection != nil
    case .string, .data, .date, .decimal128, .objectID, .uuid: return true
    case .mixed, .object, .linkingObjects: return false
    }
  }
}

extension String {
  fileprivate var trimmingSpaces: String { hasSuffix(" ") ? String(dropLast()) : self }
}

// MARK: - Names

extension ObjectiveCModels {
  static let dialect = ModelDialect(
    sdk: "Realm Objective-C",
    classNames: IdentifierRules(alphabet: .ascii, fallback: "Model", reserved: keywords.union(typeNames)),
    propertyNames: { _ in
      IdentifierRules(
        alphabet: .ascii, fallback: "property", reserved: keywords.union(typeNames).union(inheritedNames),
        // Also the setter: `setName:` is the same for `name` and `Name`.
        claims: { [$0, "_" + $0, "set" + $0.prefix(1).uppercased() + $0.dropFirst()] })
    },
    indexedTypes: [.int, .bool, .string, .objectID, .date, .uuid])

  private static let keywords: Set<String> = [
    "BOOL", "Class", "IBAction", "IBOutlet", "IMP", "NO", "NULL", "Nil", "Protocol", "SEL", "YES", "_Bool", "_Complex",
    "_Generic", "asm", "auto", "bool", "break", "bycopy", "byref", "case", "char", "const", "continue", "default", "do",
    "double", "else", "enum", "extern", "false", "float", "for", "goto", "id", "if", "in", "inline", "inout",
    "instancetype", "int", "long", "nil", "nonnull", "nullable", "oneway", "out", "register", "restrict", "return",
    "self", "short", "signed", "sizeof", "static", "struct", "super", "switch", "true", "typedef", "typeof", "union",
    "unsigned", "void", "volatile", "while",
    // Macros of the C library and of Foundation.
    "DEBUG", "EOF", "FALSE", "MAX", "MIN", "TRUE", "errno", "assert", "linux", "unix",
  ]

  /// Types that the generated code uses, and names of theirs that no class can have.
  private static let typeNames: Set<String> = [
    "NSArray", "NSData", "NSDate", "NSDictionary", "NSInteger", "NSNumber", "NSObject", "NSSet", "NSString", "NSUUID",
    "RLMArray", "RLMAsymmetricObject", "RLMBool", "RLMData", "RLMDate", "RLMDecimal128", "RLMDictionary", "RLMDouble",
    "RLMEmbeddedObject", "RLMFloat", "RLMInt", "RLMLinkingObjects", "RLMObject", "RLMObjectBase", "RLMObjectId",
    "RLMPropertyDescriptor", "RLMRealm", "RLMResults", "RLMSet", "RLMString", "RLMUUID", "RLMValue", "Realm",
  ]

  /// Methods of `RLMObject` and of `NSObject`.
  private static let inheritedNames: Set<String> = [
    "alloc", "autorelease", "class", "className", "copy", "dealloc", "debugDescription", "description", "finalize",
    "freeze", "frozen", "hash", "init", "invalidated", "isFrozen", "isInvalidated", "isProxy", "load", "mutableCopy",
    "new", "objectSchema", "observationInfo", "realm", "release", "retain", "retainCount", "superclass", "thaw", "zone",
    "primaryKey", "version", "initialize",
  ]
}
