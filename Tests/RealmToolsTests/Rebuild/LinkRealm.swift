import RealmExchange
import RealmOpening
import RealmStorage
import RealmTools
import TestSupport

/// Realms with links of every kind between random objects.
enum LinkRealm {
  private static let kinds = """
    "one":"A?","list":"B[]","set":"C<>","map":"A{}","any":"mixed","anyList":"mixed[]","anySet":"mixed<>",
    "anyMap":"mixed{}"
    """

  static let schema = """
    [{"name":"A","properties":{"n":"int","emb":"E?","embs":"E[]","embMap":"E{}",\(kinds)}},
     {"name":"B","properties":{"n":"int",\(kinds)}},
     {"name":"C","properties":{"n":"int","any":"mixed","emb":"E?"}},
     {"name":"D","properties":{"n":"int"}},
     {"name":"E","embedded":true,"properties":{"to":"B?","inner":"F?"}},
     {"name":"F","embedded":true,"properties":{"all":"C[]","any":"mixed"}}]
    """

  static let classes = ["A", "B", "C", "D"]
  private static let objectCounts = ["A": 12, "B": 10, "C": 9, "D": 8]

  /// - Parameter number: decides everything.
  static func random(_ number: UInt64) throws -> BuiltRealm {
    var text = RandomText(random: SeededGenerator(seed: number))
    return try BuiltRealm(schema: schema, data: text.data())
  }

  private struct RandomText {
    var random: SeededGenerator

    mutating func number(below limit: Int) -> Int { Int(random.next() % UInt64(limit)) }

    mutating func data() -> String {
      var lines = ""
      for name in LinkRealm.classes {
        for key in 0..<(LinkRealm.objectCounts[name] ?? 0) {
          var members = [#""n":\#(number(below: 10))"#]
          if name != "D" { members.append(#""any":\#(mixed(depth: 0))"#) }
          if name == "A" || name == "B" { members += links }
          if name == "A" || name == "C" { members.append(#""emb":\#(embedded)"#) }
          if name == "A" {
            members.append(#""embs":[\#(several { $0.embedded }.filter { $0 != "null" }.joined(separator: ","))]"#)
            members.append(#""embMap":{"x":\#(embedded),"y":\#(embedded)}"#)
          }
          lines += #"{"class":"\#(name)","objKey":\#(key),"value":{\#(members.joined(separator: ","))}}"# + "\n"
        }
      }
      return lines
    }

    private mutating func several(_ make: (inout Self) -> String) -> [String] {
      (0..<number(below: 4)).map { _ in make(&self) }
    }

    /// A link of a property, to one object of few.
    private mutating func key(_ name: String) -> String { "\(number(below: LinkRealm.objectCounts[name] ?? 1))" }

    private mutating func optionalKey(_ name: String) -> String { number(below: 3) == 0 ? "null" : key(name) }

    private var links: [String] {
      mutating get {
        let list = several { $0.key("B") }.joined(separator: ",")
        let set = Set(several { $0.key("C") }).sorted().joined(separator: ",")
        let anyList = several { $0.mixed(depth: 1) }.joined(separator: ",")
        let anySet = Set(several { $0.scalar() }).sorted().joined(separator: ",")
        return [
          #""one":\#(optionalKey("A"))"#, #""list":[\#(list)]"#, #""set":[\#(set)]"#,
          #""map":{"a":\#(optionalKey("A")),"b":\#(optionalKey("A"))}"#, #""anyList":[\#(anyList)]"#,
          #""anySet":{"$set":[\#(anySet)]}"#, #""anyMap":{"p":\#(mixed(depth: 1)),"q":\#(mixed(depth: 1))}"#,
        ]
      }
    }

    private mutating func scalar() -> String {
      switch number(below: 5) {
      case 0: return "null"
      case 1: return "\(number(below: 3))"
      default:
        let name = LinkRealm.classes[number(below: 4)]
        return #"{"$link":{"table":"\#(name)","objKey":\#(key(name))}}"#
      }
    }

    private mutating func mixed(depth: Int) -> String {
      guard depth < 3 else { return scalar() }
      switch number(below: 6) {
      case 0: return "[" + several { $0.mixed(depth: depth + 1) }.joined(separator: ",") + "]"
      case 1: return #"{"$dictionary":{"k":\#(mixed(depth: depth + 1)),"l":\#(mixed(depth: depth + 1))}}"#
      default: return scalar()
      }
    }

    private var embedded: String {
      mutating get {
        guard number(below: 3) > 0 else { return "null" }
        let all = several { $0.key("C") }.joined(separator: ",")
        let inner = number(below: 2) == 0 ? "null" : #"{"all":[\#(all)],"any":\#(mixed(depth: 1))}"#
        return #"{"to":\#(optionalKey("B")),"inner":\#(inner)}"#
      }
    }
  }
}
