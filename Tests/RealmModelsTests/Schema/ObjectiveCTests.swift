import Foundation
import RealmModels
import RealmStorage
import TestSupport
import Testing

/// The Objective-C models compile, against declarations of what they use.
@Suite struct ObjectiveCTests {
  /// It is part of the Swift toolchain.
  private static let clang: String? = {
    let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    return folders.map { $0 + "/clang" }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }()

  /// What the models see of Foundation and of the SDK.
  private static let declarations = """
    typedef signed char BOOL;
    typedef long NSInteger;
    typedef unsigned long NSUInteger;
    @protocol NSObject
    @end
    @protocol NSCopying
    @end
    __attribute__((objc_root_class)) @interface NSObject <NSObject>
    + (instancetype)new;
    + (Class)class;
    - (instancetype)init;
    @property (readonly) NSUInteger hash;
    @end
    @interface NSString : NSObject <NSCopying>
    @end
    @interface NSNumber : NSObject
    @end
    @interface NSData : NSObject
    @end
    @interface NSDate : NSObject
    @end
    @interface NSUUID : NSObject
    @end
    @interface NSArray<E> : NSObject
    + (instancetype)arrayWithObjects:(const E _Nonnull [])objects count:(NSUInteger)count;
    @end
    @interface NSDictionary<K, V> : NSObject
    + (instancetype)dictionaryWithObjects:(const V _Nonnull [])objects forKeys:(const K<NSCopying> _Nonnull [])keys
                                    count:(NSUInteger)count;
    @end
    @interface RLMDecimal128 : NSObject
    @end
    @interface RLMObjectId : NSObject
    @end
    @interface RLMObjectBase : NSObject
    + (NSString *)_realmObjectName;
    + (NSDictionary<NSString *, NSString *> *)_realmColumnNames;
    + (NSString *)primaryKey;
    @end
    @interface RLMObject : RLMObjectBase
    @end
    @interface RLMEmbeddedObject : RLMObjectBase
    @end
    @interface RLMAsymmetricObject : RLMObjectBase
    @end
    @interface RLMArray<E> : NSObject
    @end
    @interface RLMSet<E> : NSObject
    @end
    @interface RLMDictionary<K, V> : NSObject
    @end
    @interface RLMLinkingObjects<E> : NSObject
    @end
    @interface RLMPropertyDescriptor : NSObject
    + (instancetype)descriptorWithClass:(Class)objectClass propertyName:(NSString *)propertyName;
    @end
    #define RLM_COLLECTION_TYPE(name) @protocol name <NSObject> @end
    @protocol RLMInt @end
    @protocol RLMBool @end
    @protocol RLMFloat @end
    @protocol RLMDouble @end
    @protocol RLMString @end
    @protocol RLMData @end
    @protocol RLMDate @end
    @protocol RLMDecimal128 @end
    @protocol RLMObjectId @end
    @protocol RLMUUID @end
    @protocol RLMValue @end
    @protocol RLMObject @end

    """

  private func problems(of schema: Schema) throws -> String {
    let folder = try TemporaryFolder()
    try #require(mkdir(folder.path("Realm"), 0o755) == 0)
    try folder.write("Realm/Realm.h", Array(Self.declarations.utf8))
    try folder.write("models.m", SchemaFormat.objectiveC.text(of: schema).utf8)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(Self.clang))
    process.arguments = [
      "-target", "arm64-apple-macos15", "-fobjc-arc", "-fsyntax-only", "-Wall", "-Werror", "-isystem", folder.path("."),
      folder.path("models.m"),
    ]
    let errors = Pipe()
    process.standardError = errors
    try process.run()
    let text = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return process.terminationStatus == 0 ? "" : text + SchemaFormat.objectiveC.text(of: schema).string
  }

  @Test(.enabled(if: clang != nil, "clang is not installed"), arguments: SampleSchemas.all.indices)
  func theModelsCompile(sample: Int) throws {
    let (name, schema) = SampleSchemas.all[sample]
    #expect(try problems(of: schema) == "", "\(name)")
    #expect(try problems(of: schema.addingInverses()) == "", "\(name) with inverses")
  }

  @Test(.enabled(if: clang != nil, "clang is not installed")) func awkwardNamesCompile() throws {
    let names: [RealmString] = [
      "newValue", "copyright", "copy", "init", "class", "Name", "name", "setName", "int", "a b", "é", "a\\", "id", "\"",
      "\u{1}",
      "allocX", "hash", "RLMInt", "self", "description", "mutableCopyOf",
    ]
    let classes = names.enumerated().map { index, name in
      TableSchema(
        name: TableSchema.tableName(ofClass: index == 0 ? "Big" : name),
        properties: names.map { Property(name: $0, type: .string) })
    }
    #expect(try problems(of: Schema(tables: classes)) == "")
  }
}
