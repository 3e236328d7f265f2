import RealmModels

/// Model classes as people write them, with all the code around them that a reader has to ignore.
enum HandWrittenModels {
  static func code(_ language: ModelLanguage) -> String {
    switch language {
    case .swift: swift
    case .kotlin: kotlin
    case .java: java
    case .csharp: csharp
    case .dart: dart
    case .javaScript: javaScript
    case .objectiveC: objectiveC
    }
  }

  /// What `schema dump` prints of it.
  static func schema(_ language: ModelLanguage) -> String {
    switch language {
    case .swift: swiftSchema
    case .kotlin: kotlinSchema
    case .java: javaSchema
    case .csharp: csharpSchema
    case .dart: dartSchema
    case .javaScript: javaScriptSchema
    case .objectiveC: objectiveCSchema
    }
  }

  private static let swift = ##"""
    // Hand-written
    import Foundation
    import RealmSwift

    enum Mood: String, PersistableEnum, CaseIterable { case happy, sad }
    enum Level: Int, PersistableEnum { case low = 1, high = 2 }
    /* nested /* comment */ */
    @objcMembers final class Legacy: Object {
        dynamic var id = 0
        dynamic var title: String = ""
        dynamic var note: String? = nil
        dynamic var when = Date()
        let count = RealmOptional<Int>()
        let dogs = List<Dog>()
        dynamic var owner: Person?
        let parents = LinkingObjects(fromType: Person.self, property: "legacy")
        dynamic var tmp = 3 { didSet { print("\(tmp) {") } }
        var computed: Int { return 3 }
        override static func primaryKey() -> String? { return "id" }
        override class func indexedProperties() -> [String] { ["title"] }
        override static func ignoredProperties() -> [String] {
            return ["tmp"]
        }
    }

    class Base: Object {
        @Persisted(primaryKey: true) var _id: ObjectId
        @Persisted var created = Date()
    }

    /// A person.
    final class Person: Base, ObjectKeyIdentifiable {
        enum CodingKeys: String, CodingKey { case name = "n" }
        @Persisted(indexed: true) var name: String = "Ann \"the\" {"
        @Persisted var mood: Mood = .happy
        @Persisted var level: Level?
        @Persisted var dogs: RealmSwift.List<Dog>
        @Persisted var tags = MutableSet<String>()
        @Persisted var map: Map<String, Dog?>
        @Persisted var address: Address?
        @Persisted var legacy: Legacy?
        @Persisted var any: AnyRealmValue
        @Persisted private var secret: Data?
        @Persisted public private(set) var big: Int64?
        @Persisted var scores: List<Double?>
        var full: String {
            get { name + "x" }
            set { name = newValue }
        }
        lazy var cache: [String: Int] = { ["a": 1] }()
        static let shared = Person()
        convenience init(name: String) {
            self.init()
            self.name = name
        }
        func hello<T: Sequence>(_ x: T) -> String where T.Element == Int {
            return """
            class Fake: Object { @Persisted var no: Int }
            """
        }
        override class func propertiesMapping() -> [String: String] {
            ["name": "full_name"]
        }
    }
    class Dog: Object { @Persisted var name: String; @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person> }
    class Address: EmbeddedObject {
        @Persisted var street: String?
    }
    extension Person { var short: String { String(name.prefix(1)) } }
    struct View { var body: some Any { 3 } }
    class Controller: UIViewController { @IBOutlet weak var x: UILabel!; func f() { let a = [1,2] ; if a.count > 1 { } } }
    protocol P { var x: Int { get }; func y() }
    """##

  private static let swiftSchema = """
    no schema version: 5 classes, 27 properties, 6 links

    embedded class Address
      street: String?
      // <- Person.address

    class Base
      _id: ObjectId  primary key
      created: Date

    class Dog
      name: String
      owners: Person.dogs inverse
      // <- Legacy.dogs
      // <- Person.dogs
      // <- Person.map

    class Legacy
      id: Int                         primary key
      title: String                   indexed
      note: String?
      when: Date
      count: Int?
      dogs: List<Dog>
      owner: Person?
      parents: Person.legacy inverse
      // <- Person.legacy

    class Person
      _id: ObjectId           primary key
      created: Date
      full_name: String       indexed
      mood: String
      level: Int?
      dogs: List<Dog>
      tags: Set<String>
      map: Map<String, Dog?>
      address: Address?
      legacy: Legacy?
      any: Mixed
      secret: Data?
      big: Int?
      scores: List<Double?>
      // <- Legacy.owner

    """

  private static let kotlin = #"""
    package a.b
    import io.realm.kotlin.types.*
    /** doc */
    enum class Mood(val code: Int) { HAPPY(1), SAD(2); fun x() = 3 }
    class Person() : RealmObject {
        @PrimaryKey
        var _id: ObjectId = ObjectId()
        @Index var name: String = "x ${if (true) "}" else "{"}"
        @PersistedName("years") var age: Int? = null
        var dogs: RealmList<Dog> = realmListOf()
        var tags = realmSetOf<String>()
        var map: RealmDictionary<Dog?> = realmDictionaryOf()
        var address: Address? = null
        @Ignore var tmp: List<String> = emptyList()
        private var moodCode: Int = Mood.HAPPY.code
        @Ignore
        var mood: Mood
            get() = Mood.values().first { it.code == moodCode }
            set(value) { moodCode = value.code }
        val full: String get() = name + "!"
        @FullText var bio: String = ""
        var born: RealmInstant? = null
        var any: RealmAny? = RealmAny.create(3)
        var pic: ByteArray = byteArrayOf()
        constructor(name: String) : this() { this.name = name }
        companion object { const val X = 3; fun of() = Person() }
        override fun toString(): String = "Person($name)"
    }
    class Dog : RealmObject {
        var name: String = ""
        val owners: RealmResults<Person> by backlinks(Person::dogs)
    }
    class Address : EmbeddedRealmObject { var street: String? = null }
    data class Plain(val x: Int, var y: String)
    fun Person.hi() { println("hi") }
    val config = RealmConfiguration.create(schema = setOf(Person::class, Dog::class))
    """#

  private static let kotlinSchema = """
    no schema version: 3 classes, 15 properties, 3 links

    embedded class Address
      street: String?
      // <- Person.address

    class Dog
      name: String
      owners: Person.dogs inverse
      // <- Person.dogs
      // <- Person.map

    class Person
      _id: ObjectId           primary key
      name: String            indexed
      years: Int?
      dogs: List<Dog>
      tags: Set<String>
      map: Map<String, Dog?>
      address: Address?
      moodCode: Int
      bio: String             full-text index
      born: Date?
      any: Mixed
      pic: Data

    """

  private static let java = #"""
    package a;
    import io.realm.*;
    @RealmClass(name = "person_t")
    public class Person extends RealmObject implements java.io.Serializable {
        public static final String X = "class { ";
        @PrimaryKey private long id;
        @Required @Index private String name;
        @RealmField("yrs") private Integer age;
        private RealmList<Dog> dogs;
        @Required private RealmList<String> tags;
        private RealmSet<Integer> nums;
        private RealmDictionary<Dog> map;
        private transient int t;
        @Ignore private List<String> ignored;
        private Date born = new Date();
        private byte[] pic;
        private RealmAny any;
        private Dog best;
        public final MutableRealmInteger counter = MutableRealmInteger.valueOf(0);
        public Person() {}
        public Person(String n) { this.name = n; if (n == null) { throw new X("}"); } }
        public String getName() { return name; }
        public <T> T gen(T x) { return x; }
        @Override public String toString() { return "{" + '}' ; }
        static { System.out.println(""); }
        public interface L { void a(); }
        enum K { A, B { int x() { return 1; } }; }
    }
    class Dog extends RealmObject { String name; boolean good; @LinkingObjects("dogs") private final RealmResults<Person> owners = null; }
    """#

  private static let javaSchema = """
    no schema version: 2 classes, 15 properties, 3 links

    class Dog
      name: String?
      good: Bool
      owners: person_t.dogs inverse
      // <- person_t.dogs
      // <- person_t.map
      // <- person_t.best

    class person_t
      id: Int                 primary key
      name: String            indexed
      yrs: Int?
      dogs: List<Dog>
      tags: List<String>
      nums: Set<Int?>
      map: Map<String, Dog?>
      born: Date?
      pic: Data?
      any: Mixed
      best: Dog?
      counter: Int?

    """

  private static let csharp = #"""
    #nullable enable
    using Realms;
    using System.Linq;
    namespace App.Models;
    public enum Mood { Happy, Sad }
    [MapTo("person_t")]
    public partial class Person : IRealmObject
    {
        [PrimaryKey]
        [MapTo("_id")]
        public ObjectId Id { get; set; } = ObjectId.GenerateNewId();
        [Indexed] public string Name { get; set; } = $"x {(true ? "}" : "{")}";
        public string? Nick { get; set; }
        public int? Age { get; private set; }
        [Indexed(IndexType.FullText)] public string Bio { get; set; } = "";
        public IList<Dog> Dogs { get; } = null!;
        public ISet<string?> Tags { get; } = null!;
        public IDictionary<string, Dog?> Map { get; } = null!;
        public RealmInteger<int> Counter { get; set; }
        public DateTimeOffset? Born { get; set; }
        public byte[]? Pic { get; set; }
        public RealmValue Any { get; set; }
        public Guid Uid { get; set; }
        public Address? Home { get; set; }
        public Dog? Best { get; set; }
        [Ignored] public object? Whatever { get; set; }
        private int MoodCode { get; set; }
        public Mood Mood { get => (Mood)MoodCode; set => MoodCode = (int)value; }
        public string Full => Name + "!";
        public string Twice { get { return Name + Name; } }
        public Person() { Name = @"c:\x""y"; }
        partial void OnManaged() { Console.WriteLine("{"); }
        public static Person Make() => new();
        private readonly int _x = 3;
        public class Nested { public int A { get; set; } }
    }
    public partial class Dog : IRealmObject { public string Name { get; set; } = ""; [Backlink(nameof(Person.Dogs))] public IQueryable<Person> Owners { get; } = null!; }
    public partial class Address : IEmbeddedObject { public string? Street { get; set; } }
    """#

  private static let csharpSchema = """
    no schema version: 3 classes, 19 properties, 4 links

    embedded class Address
      Street: String?
      // <- person_t.Home

    class Dog
      Name: String
      Owners: person_t.Dogs inverse
      // <- person_t.Dogs
      // <- person_t.Map
      // <- person_t.Best

    class person_t
      _id: ObjectId           primary key
      Name: String            indexed
      Nick: String?
      Age: Int?
      Bio: String             full-text index
      Dogs: List<Dog>
      Tags: Set<String?>
      Map: Map<String, Dog?>
      Counter: Int
      Born: Date?
      Pic: Data?
      Any: Mixed
      Uid: UUID
      Home: Address?
      Best: Dog?
      MoodCode: Int

    """

  private static let dart = #"""
    import 'package:realm/realm.dart';
    part 'e.realm.dart';
    enum Mood { happy, sad }
    @RealmModel()
    @MapTo('person_t')
    class _Person {
      @PrimaryKey()
      @MapTo('_id')
      late ObjectId id;
      @Indexed()
      late String name;
      late int? age;
      int score = 3;
      late List<_Dog> dogs;
      late Set<String> tags;
      late Map<String, _Dog?> map;
      _Address? home;
      late RealmValue any;
      DateTime? born;
      Uint8List? pic;
      @Ignored()
      late int tmp;
      @Indexed(RealmIndexType.fullText)
      late String bio;
      String get full => '$name ${age ?? '}'}';
      void hi() { print('{'); }
      @MapTo('m') int moodCode = Mood.happy.index;
      Mood get mood => Mood.values[moodCode];
      set mood(Mood v) => moodCode = v.index;
    }
    @RealmModel() class _Dog { late String name; @Backlink(#dogs) late Iterable<_Person> owners; }
    @RealmModel(ObjectType.embeddedObject) class _Address { String? street; }
    void main() { final x = Person(); }
    """#

  private static let dartSchema = """
    no schema version: 3 classes, 16 properties, 3 links

    embedded class Address
      street: String?
      // <- person_t.home

    class Dog
      name: String
      owners: person_t.dogs inverse
      // <- person_t.dogs
      // <- person_t.map

    class person_t
      _id: ObjectId           primary key
      name: String            indexed
      age: Int?
      score: Int
      dogs: List<Dog>
      tags: Set<String>
      map: Map<String, Dog?>
      home: Address?
      any: Mixed
      born: Date?
      pic: Data?
      bio: String             full-text index
      m: Int

    """

  private static let javaScript = #"""
    import Realm, { ObjectSchema } from "realm";
    export class Person extends Realm.Object<Person> {
      _id!: Realm.BSON.ObjectId;
      name!: string;
      static schema: ObjectSchema = {
        name: "Person", primaryKey: '_id',
        properties: {
          _id: { type: "objectId", default: () => new Realm.BSON.ObjectId() },
          name: { type: 'string', indexed: true, default: "x" },
          age: "int?", years: { type: "int", mapTo: `yrs` },
          dogs: "Dog[]", best: "Dog", tags: "string<>", map: "double{}",
        },
      };
      static x(a: string) { return /[/{]/.test(a) ? `${a} {` : "}"; }
    }
    export const DogSchema = { name: "Dog", properties: { name: "string", owners: { type: "linkingObjects", objectType: "Person", property: "dogs" } } } as const;
    const realm = await Realm.open({ path: "x", schema: [Person, DogSchema], schemaVersion: 3 });
    function f() { if (a / b > 2) { return { name: "x" }; } }
    """#

  private static let javaScriptSchema = """
    no schema version: 2 classes, 10 properties, 2 links

    class Dog
      name: String
      owners: Person.dogs inverse
      // <- Person.dogs
      // <- Person.best

    class Person
      _id: ObjectId             primary key
      name: String              indexed
      age: Int?
      yrs: Int
      dogs: List<Dog>
      best: Dog?
      tags: Set<String>
      map: Map<String, Double>

    """

  private static let objectiveC = #"""
    // Person.h
    #ifndef PERSON_H
    #define PERSON_H
    #import <Realm/Realm.h>
    #define PAIR(a, b) \
      @interface a : b
    NS_ASSUME_NONNULL_BEGIN
    @class Dog, Person;
    typedef NS_ENUM(NSInteger, Mood) { MoodHappy, MoodSad = 4 };
    @protocol Named <NSObject>
    @property (readonly) NSString *title;
    @end
    RLM_COLLECTION_TYPE(Dog)

    @interface Person : RLMObject <Named> {
      NSString *_cache;
    }
    @property (nonatomic, strong, nullable) NSString *name;
    @property NSInteger age, shoes;
    @property (getter=isAdult) BOOL adult;
    @property Mood mood;
    @property NSNumber<RLMDouble> *_Nullable height;
    @property RLMArray<Dog *><Dog> *dogs;
    @property RLMSet<NSString *><RLMString> *tags;
    @property RLMDictionary<NSString *, NSNumber *><RLMString, RLMInt> *scores;
    @property id<RLMValue> anything;
    @property (readonly) RLMLinkingObjects<Dog *> *walked;
    @property (nonatomic, copy) void (^done)(BOOL);
    @property (class, readonly) NSString *kind;
    @property (nonatomic, readonly) NSString *title;
    @property NSString *computed;
    - (instancetype)initWithName:(NSString *)name age:(NSInteger)age NS_DESIGNATED_INITIALIZER;
    + (void)sort;
    @end
    NS_ASSUME_NONNULL_END
    #endif

    // Person.m
    @interface Person ()
    @property NSDate *born;
    @end
    static NSString *const kKind = @"kind";
    @implementation Person
    #pragma mark - Schema
    + (NSString *)primaryKey { return @"name"; }
    + (NSArray<NSString *> *)indexedProperties { return @[ @"age", NSStringFromSelector(@selector(born)) ]; }
    + (NSArray *)requiredProperties { return @[@"name", @"tags"]; }
    + (NSArray *)ignoredProperties { return @[@"done"]; }
    + (NSDictionary *)defaultPropertyValues { return @{ @"age": @3 }; }
    + (NSDictionary *)linkingObjectsProperties {
      return @{ @"walked": [RLMPropertyDescriptor descriptorWithClass:[Dog class] propertyName:@"walker"] };
    }
    - (NSString *)computed { return [NSString stringWithFormat:@"%c", '}']; }
    - (void)setComputed:(NSString *)computed {}
    static int helper(int a) { return a; }
    - (NSString *)title { return self.name; }
    @end
    @interface Dog : RLMEmbeddedObject
    @property Person *walker;
    @end
    @implementation Dog
    + (NSString *)_realmObjectName { return @"Hound"; }
    @end
    """#

  private static let objectiveCSchema = """
    no schema version: 2 classes, 13 properties, 2 links

    embedded class Hound
      walker: Person?
      // <- Person.dogs

    class Person
      name: String                  primary key
      age: Int                      indexed
      shoes: Int
      adult: Bool
      mood: Int
      height: Double?
      dogs: List<Hound>
      tags: Set<String>
      scores: Map<String, Int?>
      anything: Mixed
      walked: Hound.walker inverse
      born: Date?                   indexed
      // <- Hound.walker

    """
}
