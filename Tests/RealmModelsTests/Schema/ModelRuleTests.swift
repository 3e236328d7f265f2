import RealmModels
import RealmStorage
import TestSupport
import Testing

/// A type is inferred only from an expression that ends there; every token of a class body belongs to a declaration that is
/// understood, or that is skipped as a whole; anything else is a fault with its place.
///
/// The oracle of each row is the language's grammar and what the SDK stores: its sources of the last release.
@Suite("Every token of a model class is understood or refused") struct ModelRuleTests {
  /// The properties of the first class, or the place of the first fault.
  private static func answer(_ code: String, _ language: ModelLanguage) -> String {
    do throws(SchemaFileError) {
      let schema = try SchemaFile(models: Array(code.utf8), in: language).schema
      guard let model = schema.tables.first else { return "" }
      return model.properties.enumerated().map { index, property in
        let key = model.primaryKeyIndex == index ? " key" : property.index == .none ? "" : " index"
        return "\(property.name): \(property.typeText)\(property.isOptional ? "?" : "")\(key)"
      }.joined(separator: ", ")
    } catch {
      guard case .code(let faults, _) = error, let place = faults.first?.place else { return "\(error)" }
      return "\(place.line):\(place.column)"
    }
  }

  /// Lines between the braces of a class, and the answer.
  typealias Row = (body: String, answer: String)

  private static func check(_ rows: [Row], _ language: ModelLanguage, _ head: String, _ tail: String = "\n}") {
    for (body, expected) in rows {
      let code = "\(head)\n\(body)\(tail)"
      #expect(answer(code, language) == expected, "\(body)")
    }
  }

  @Test("Swift") func swift() {
    let dynamic = "@objc dynamic var"
    Self.check(
      [
        ("\(dynamic) a = 0", "a: int"), ("\(dynamic) a = -1.5", "a: double"), ("\(dynamic) a = 0x1F", "a: int"),
        ("\(dynamic) a = 0x1p3", "2:23"), ("\(dynamic) a = \"x\"", "a: string"), ("\(dynamic) a = true", "a: bool"),
        ("\(dynamic) a = UUID()", "a: uuid"), ("\(dynamic) a = UUID().uuidString", "2:23"),
        ("\(dynamic) a = UUID(uuidString: \"x\")", "2:23"), ("\(dynamic) a = Date().timeIntervalSince1970", "2:23"),
        ("\(dynamic) a = Date(timeIntervalSince1970: 0)", "a: date"), ("\(dynamic) a = Date.now", "a: date"),
        ("\(dynamic) a = 0 as Double", "a: double"), ("\(dynamic) a = nil as String?", "a: string?"),
        ("\(dynamic) a = \"x\" + y()", "2:23"), ("\(dynamic) a = \"x\".count", "2:23"), ("\(dynamic) a = f()", "2:23"),
        ("\(dynamic) a = Kind.big", "a: string"), ("\(dynamic) a = Kind.big.rawValue", "2:23"),
        ("\(dynamic) a = Kind.other", "2:23"), ("\(dynamic) a = ObjectId.generate()", "a: object id"),
        ("\(dynamic) a = \"x\" +\n  \"y\"\n\(dynamic) b = 1", "2:23"),
        ("\(dynamic) a: String = \"x\" +\n  \"y\"\n\(dynamic) b = 1", "a: string, b: int"),
        ("\(dynamic) a: String = [1, 2]\n  .map { \"\\($0)\" }\n  .joined()\n\(dynamic) b = 1", "a: string, b: int"),
        ("\(dynamic) a: Bool = x\n  ? true\n  : false\n\(dynamic) b = 1", "a: bool, b: int"),
        ("\(dynamic) a = 1, b = \"\"", "a: int, b: string"), ("\(dynamic) a, b: Int", "a: int, b: int"),
        ("\(dynamic) a = 3 { didSet { f() } }\n\(dynamic) b = 1", "a: int, b: int"),
        ("\(dynamic) a: Int\n{\n  willSet { f() }\n}\n\(dynamic) b = 1", "a: int, b: int"),
        ("\(dynamic) a: Int { return 1 }\n\(dynamic) b = 1", "b: int"),
        ("\(dynamic) a: Int {\n get { 1 }\n set { } }\n\(dynamic) b = 1", "b: int"),
        ("let a = List<A>()\n\(dynamic) b = 1", "a: array<A>, b: int"),
        (
          "let l = LinkingObjects(fromType: A.self, property: \"p\")\n\(dynamic) p: A?",
          "l: linking objects<A>, p: <A>?"
        ),
        (
          "let l = LinkingObjects(fromType: A.self, property: \"p\")\n\(dynamic) k = \"\"\n\(dynamic) p: A?\n"
            + "override static func primaryKey() -> String? { return \"k\" }",
          "l: linking objects<A>, k: string key, p: <A>?"
        ),
        ("let a = RealmOptional<Int>(5)\nlet b = 5", "a: int?"), ("var plain = f { $0 }\n\(dynamic) b = 1", "b: int"),
        ("lazy var a: Int = { 1 }()\n\(dynamic) b = 1", "b: int"), ("\(dynamic) a = 1 2", "2:25"),
        ("\(dynamic) a = 1\n~", "3:1"), ("\(dynamic) a = 1\nfoo()", "3:1"), ("dynamic var a = 1", "a: int"),
        ("\(dynamic) b = 1\ndynamic var a = 1", "3:13"),
        ("@Persisted var a: Int { didSet { } }\n@Persisted(primaryKey: true) var b = \"\"", "a: int, b: string key"),
        ("@Persisted var a = UUID().uuidString", "2:20"), ("@Persisted var a: [Int]", "2:19"),
        (
          "@Persisted var a: Int\nfunc f<T>(_ x: T = { 1 }()) -> Int where T: Equatable { 1 }\nvar c: Int { 1 }",
          "a: int"
        ),
        ("@Persisted var a: Int\nfunc f() -> Int\n@Persisted var b: Int", "4:12"),
        ("static func == (a: A, b: A) -> Bool { true }\n@Persisted var a: Int", "a: int"),
        ("@Persisted var a: Int\noverride static func primaryKey() -> String? { let x = \"a\"; return x }", "3:48"),
      ], .swift, "class A: Object {", "\n}\nenum Kind: String, PersistableEnum { case big, small }")
  }

  @Test("Kotlin") func kotlin() {
    Self.check(
      [
        ("var a = 0", "a: int"), ("var a = 1L", "a: int"), ("var a = 1.5f", "a: float"), ("var a = 1u", "2:9"),
        ("var a = 'c'", "a: int"), ("var a = \"x\"", "a: string"), ("var a = 1.toFloat()", "2:9"),
        ("var a = 1.toString()", "2:9"), ("var a = ObjectId().toHexString()", "2:9"),
        ("var a = ObjectId()", "a: object id"),
        ("var a = RealmUUID.random()", "a: uuid"), ("var a = RealmUUID.random().bytes", "2:9"),
        ("var a = realmListOf<String>()", "a: array<string>"), ("var a = realmListOf<Int>().size", "2:9"),
        ("var a: String\n  get() = \"a\"\n  set(value) { }\nvar b = 1", "b: int"),
        ("val a: String\n  get() {\n    return \"a\"\n  }\nvar b = 1", "b: int"),
        ("var a: String = \"\"\n  get() = field\n  private set\nvar b = 1", "a: string, b: int"),
        ("var a: Int = 0; private set\nvar b = 1", "a: int, b: int"),
        ("var a: String = if (x) \"a\" else \"b\"\nvar b = 1", "a: string, b: int"),
        ("var a: Long = x\n  ?.let { 1 }\n  ?: 2\nvar b = 1", "a: int, b: int"),
        ("fun f() = a\n  .b()\nvar b = 1", "b: int"),
        ("fun <T> T.f(x: (Int) -> Unit = {}): Int where T : Any { 1 }\nvar b = 1", "b: int"),
        ("companion object { const val X = 1 }\nvar b = 1", "b: int"),
        ("init { }\nconstructor() : this(1)\nvar b = 1", "b: int"),
        ("val a: Int by lazy { 1 }\nvar b = 1", "b: int"), ("var a by Delegates.notNull<Int>()", "2:5"),
        ("val a = 1", "2:5"), ("@Ignore val a = 1\nvar b = 1", "b: int"), ("var a: Int = 1 2", "2:16"),
        ("var b = 1\nfoo()", "3:1"), ("var f: (Int) -> Unit = {}", "2:8"),
      ], .kotlin, "class A : RealmObject {")
    Self.check(
      [("var a: RealmList<Int>? = null\n  constructor() { }", "a: array<int>?")], .kotlin,
      "open class A : RealmObject {")
    Self.check(
      [("", "a: string, b: int key")], .kotlin,
      "class A(var a: String = x(\",\"), @PrimaryKey var b: Long = 0, c: Int = 1) : RealmObject {")
  }

  /// What `ClassMetaData` of Realm Java 10 says of them.
  @Test("annotations against null") func nullAnnotations() {
    let head = "import org.jetbrains.annotations.NotNull;\nclass A extends RealmObject {\n"
    #expect(Self.answer(head + "@NotNull String a;\n}", .java) == "a: string")
    let list = "RealmList<String> a;\n}"
    #expect(Self.answer(head + "@NotNull " + list, .java) == Self.answer(head + list, .java))
    #expect(Self.answer(head + "@Required " + list, .java) != Self.answer(head + list, .java))
    let kotlin = "open class A : RealmObject() {\n@Required var a: String? = null\nvar b: String? = null\n}"
    #expect(Self.answer(kotlin, .kotlin) == "a: string, b: string?")
  }

  @Test("Java") func java() {
    Self.check(
      [
        ("private int a = 1, b;", "a: int, b: int"), ("int a[];", "2:6"), ("@NotNull private String a;", "2:2"),
        ("static int a = f(1, 2), b; int c;", "c: int"),
        ("Map<String, List<?>> a;", "2:1"), ("@Ignore Map<String, ? extends B> a; int b;", "b: int"),
        ("private RealmList<A> a = new RealmList<A>(), b = new RealmList<>();", "a: array<A>, b: array<A>"),
        ("int a = (int) f();\nint b;", "a: int, b: int"), ("Runnable r = () -> { int x; };", "2:1"),
        ("transient Object o = new Object() { int z; }; int b;", "b: int"),
        ("static { int x; } { int y; } int b;", "b: int"),
        ("public <T extends B> T f(T x) throws C, D { return x; } int b;", "b: int"),
        ("@interface X { int a(); } enum E { A, B } int b;", "b: int"), ("A(int x) { } int b;", "b: int"),
        ("int a = 1 int b;", "2:11"), ("int b; foo", "3:1"), ("abstract void f(); int b;", "b: int"),
      ], .java, "class A extends RealmObject {")
  }

  @Test("C#") func csharp() {
    Self.check(
      [
        ("public int A { get; set; } = f(1, 2); public int B { get; set; }", "A: int, B: int"),
        ("public int A => 1; public int B { get; set; }", "B: int"),
        ("public IList<global::System.Int32> A { get; } public int B { get; set; }", "2:8"),
        ("public int A { get { return 1; } set { } } public int B { get; set; }", "B: int"),
        ("private int a = 1, b = 2; public int B { get; set; }", "B: int"),
        ("public (int, string) A { get; set; }", "2:8"),
        ("private (int, string) a; public int B { get; set; }", "B: int"),
        ("public static A operator +(A a, A b) => a; public int B { get; set; }", "B: int"),
        ("public static implicit operator int(A a) { return 1; } public int B { get; set; }", "B: int"),
        ("public int this[int i] { get => 1; set { } } public int B { get; set; }", "B: int"),
        ("public A() : base() { } ~A() { } public int B { get; set; }", "B: int"),
        ("public delegate void F(int x); public event F Changed; public int B { get; set; }", "B: int"),
        ("public T F<T>(T x) where T : class, new() => x; public int B { get; set; }", "B: int"),
        ("public int A { get; init; }", "2:21"), ("public int A { get; set; } 5", "2:28"), ("int a = 1 int b;", "2:11"),
        ("#region x\npublic int B { get; set; }\n#endregion", "B: int"),
        ("#if X\npublic int B { get; set; }\n#endif", "2:1"),
      ], .csharp, "partial class A : IRealmObject {")
  }

  @Test("Dart") func dart() {
    Self.check(
      [
        ("late int a, b;", "a: int, b: int"), ("int a = f(1, 2), b = 3;", "a: int, b: int"), ("var a = 1;", "2:5"),
        ("static var a = 1; late int b;", "b: int"), ("int get a => 1; late int b;", "b: int"),
        ("set a(int x) { } late int b;", "b: int"), ("_A(); factory _A.x() => _A(); late int b;", "b: int"),
        ("void Function(int)? a;", "2:1"), ("@Ignored() void Function(int)? a; late int b;", "b: int"),
        ("Future<int> f() async { return 1; } late int b;", "b: int"),
        ("bool operator ==(Object o) => true; late int b;", "b: int"),
        ("late int b; 5", "2:13"), ("int a = 1 int b;", "2:11"),
      ], .dart, "@RealmModel() class _A {")
  }

  @Test("JavaScript schemas that take parts from elsewhere") func javaScript() {
    let base = "const Base = { name: 'B', properties: { a: 'int' } };\n"
    Self.check(
      [
        ("const A = { ...Base, name: 'A' };", "3:13"), ("const A = { ...x, properties: { a: 'int' } };", "3:13"),
        ("const A = { name: 'A', properties: { ...p, a: 'int' } };", "3:38"),
        ("const A = { name: 'A', properties: p };", "3:36"),
        ("const A = { name: 'A', properties };", "3:24"), ("const A = { name: n, properties: { a: 'int' } };", "3:19"),
        ("const A = Object.assign({}, Base, { name: 'A' });", "3:11"),
        ("const A = Object.assign({ name: 'A' }, { properties: p });", "3:11"),
        ("Base.properties.b = 'int';", "3:19"), ("class A { static schema = make(); }", "3:27"),
        ("class A { static schema = Other; }", "3:27"), ("class A { static schema = Base; }", "a: int"),
        ("const o = { ...state, name: 'x' }; const p = Object.assign({}, state, { name: 'y' });", "a: int"),
        ("track({ name: 'x', properties: ['a'] }); f(Base.properties.a === 'int');", "a: int"),
      ], .javaScript, base, "")
  }

  @Test("Objective-C") func objectiveC() {
    Self.check(
      [
        ("@property NSString *a; @property NSInteger b, c;", "a: string?, b: int, c: int"),
        ("@property (readonly) NSString *a; @property int b;", "b: int"), ("@property NSNumber *a;", "2:11"),
        ("@property NSNumber<RLMInt> *a;", "a: int?"), ("@property unsigned int a;", "2:11"),
        ("@property RLMArray<A *> *a;", "2:11"),
        ("@property RLMArray<A *><A> *a;", "a: array<A>"), ("@property A *a;", "a: <A>?"),
        ("@property void (^a)(int);", "2:18"), ("@property int b\n- (void)f;", "3:1"), ("int b;", "2:1"),
        ("#if X\n@property int b;\n#endif", "2:1"), ("- (void)f:(int)x g:(int)y; @property int b;", "b: int"),
      ], .objectiveC, "@interface A : RLMObject", "\n@end\n@implementation A\n@end")
    #expect(Self.answer("@interface A : RLMObject\n@property int b;\n@end", .objectiveC) == "1:12")
  }

  @Test("Several files are one schema, and a fault names its file") func folder() throws {
    let folder = try TemporaryFolder()
    try folder.makeFolder("More")
    try folder.write("Dog.swift", Array("class Dog: Base { @Persisted var owner: Person? }".utf8))
    let code = "class Base: Object { @Persisted var id: Int }\nclass Person: Base { }"
    try folder.write("More/Person.swift", Array(code.utf8))
    let schema = try SchemaFile(reading: folder.path).schema
    #expect(
      schema.tables.map { "\($0.name): \($0.properties.count)" } == [
        "class_Dog: 2", "class_Base: 1", "class_Person: 1",
      ])
    let wrong = try folder.write(
      "More/Person.swift", Array("class Base: Object {}\nclass Person: Base { @Persisted var x: Y }".utf8))
    do { _ = try SchemaFile(reading: folder.path) } catch SchemaFileError.code(let faults, _) {
      #expect(faults.contains { $0.path == wrong && $0.place.line == 2 })
      return
    }
    Issue.record("no fault")
  }
}
