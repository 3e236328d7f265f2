import ArgumentParser
import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmQuery
@testable import realmctl

/// Every row of the tables of advice is given, and followed.
extension AdviceFollowedTests {
  /// Arguments that are too few, too many, or in the places of others.
  static let operandRows: [Row] = [
    Row(
      "plan new dogs.realm dogs.realm", "write --schema dogs.realm",
      "plan new dogs.realm --schema dogs.realm --to-version 9"),
    Row(
      "query dogs.realm Person -1<dogs.@count", "put -- before a query that begins with -, and options before that",
      "$ realmctl query dogs.realm Person -- '-1 < dogs.@count'"),
    Row(
      "query dogs.realm person.realm Dog TRUEPREDICATE", "'query' takes one realm, then a class",
      "query dogs.realm Dog TRUEPREDICATE"),
    Row(
      "update dogs.realm Dog name=='Rex' name=Max --set breed=x", "write --set name=Max",
      "update dogs.realm Dog name=='Rex' --set name=Max --set breed=x"),
    Row(
      "query dogs.realm Dog name Rex", #"write the query as one argument: 'name == "Rex"'"#,
      #"$ realmctl query dogs.realm Dog 'name == "Rex"'"#),
    Row("export dogs.realm -", "without -o, the output goes to standard output", "export dogs.realm"),
    Row(
      "bundle dogs.realm toys.ndjson --seed seed.realm", "give data with --data",
      "bundle dogs.realm --data toys.ndjson --class Toy --seed seed.realm"),
    Row(
      "redact new dogs.realm new.yml", "to write it to a file, use -o new.yml", "redact new dogs.realm -o new.yml"),
    Row(
      "diff dogs.realm person.realm types.realm", "'diff' compares two realms", "diff dogs.realm dogs.realm"),
    Row(
      "schema diff dogs.realm person.realm types.realm", "'schema diff' compares two schemas",
      "schema diff dogs.realm dogs.realm"),
    Row(
      "downgrade dogs.realm 22 --file-format 23", "write --file-format 22", "downgrade dogs.realm --file-format 22"),
    Row(
      "recover dogs.realm person.realm -o saved.realm", "'recover' takes one realm at a time",
      "recover dogs.realm -o saved.realm"),
  ]

  // MARK: - The tables

  /// The words of the first command of a row: a shell's quotes removed.
  private static func words(of row: Row) -> [String]? {
    guard row.command.hasPrefix("$ ") else { return row.command.split(separator: " ").map(String.init) }
    guard row.command.hasPrefix("$ realmctl ") else { return nil }
    var (words, quote): ([String], Character?) = ([""], nil)
    for character in row.command.dropFirst("$ realmctl ".count) {
      switch character {
      case "'" where quote != "\"", "\"" where quote != "'": quote = quote == nil ? character : nil
      case " " where quote == nil: words.append("")
      default: words[words.count - 1].append(character)
      }
    }
    return words
  }

  @Test func everyRowAboutArgumentsIsFollowed() throws {
    var followed: Set<Int> = []
    for words in Self.allRows.compactMap(Self.words) {
      do { _ = try Realmctl.parse(all: words) } catch let error as UsageError {
        let line = OperandAdvice.Line(words, error.mistake) { $0.hasSuffix(".realm") }
        if let number = OperandAdvice.table.firstIndex(where: { $0.advice(line) != nil }) { followed.insert(number) }
      } catch {}
    }
    #expect(Set(OperandAdvice.table.indices).subtracting(followed) == [])
  }

  /// A query for each row about syntax.
  private static let wrongQueries = [
    "coordinate": "location GEOWITHIN geoCircle([1, 2, 3, 4], 3.0)",
    "value without its delimiters": "_id == 01234567-89ab-cdef-0123-456789abcdef", "call": "COUNT(dogs) > 1",
    "list": #"name IN ("a","b")"#, "ordering": "LIMIT 3", "object in braces": #"favoriteToy == {name: "Ball"}"#,
    "statement": #"WHERE name = "Rex""#, "word": #"name startswith "R""#, "name with a space": "first name == 3",
    "joint": "name ==", "parenthesis": #"(name == "Rex""#, "name alone": "dogs.@count",
  ]

  @Test func everyRowAboutSyntaxIsFollowed() throws {
    #expect(Set(SyntaxAdvice.table.map(\.name)) == Set(Self.wrongQueries.keys))
    let followed = Set(Self.allRows.compactMap(Self.words).compactMap(\.last))
    // Dogs have neither a place nor a name with a space.
    let unknown: Set = ["coordinate", "name with a space"]
    for (name, query) in Self.wrongQueries {
      #expect(throws: QueryError.self) { try RQL.parse(query) }
      #expect(unknown.contains(name) || followed.contains(query), "\(name)")
    }
  }

  @Test func everyRowAboutOptionsIsGivenAndNamesWhatThereIs() throws {
    var given: [Int: Set<String>] = [:]
    for leaf in ManualTests.leaves {
      let grammar = CommandGrammar(of: leaf.type)
      let command = leaf.type.configuration.commandName ?? ""
      for (number, row) in OptionAdvice.table.enumerated() {
        for name in row.names where !grammar.has(name) {
          guard let text = row.text(for: name, typed: name, of: command, grammar),
            UsageError.unknownOption(in: leaf.words + ["file", name])?.advice == text
          else { continue }
          given[number, default: []].insert(name)
          try Self.requireNames(in: text, of: leaf.type, except: name)
        }
      }
    }
    for (number, row) in OptionAdvice.table.enumerated() { #expect(given[number] == Set(row.names), "\(row.names)") }
  }

  /// Options are those of the command, or of another that is named; commands exist.
  private static func requireNames(in text: String, of command: any ParsableCommand.Type, except name: String) throws {
    let named = text.matches(of: /(?:'|realmctl )([a-z-]+)(?: [^']*)?/).compactMap { match in
      ManualTests.commands.first { $0.words == [String(match.output.1)] }
    }
    let grammars = ([command] + named.map(\.type)).map { CommandGrammar(of: $0) }
    for option in text.matches(of: /--[a-z][a-z-]+/) where option.output != name {
      #expect(grammars.contains { $0.has(String(option.output)) }, "\(text)")
    }
  }

  @Test func everyOtherNameOfACommandOrATopicMeansOneThatThereIs() throws {
    for (word, answer) in UnknownCommand.otherNames {
      #expect(UnknownCommand.error(in: [word])?.advice == "did you mean \(answer)?")
      for line in answer.matches(of: /'(?:realmctl )?([^']*)'/) {
        let words = line.output.1.split(separator: " ").map(String.init).filter { $0 != "SHELL" }
        let (type, rest) = Realmctl.command(named: words)
        #expect(
          words == ["help"] || words.first == "--generate-completion-script" || type != Realmctl.self, "\(answer)")
        for option in rest where option.hasPrefix("--") && type != Realmctl.self {
          #expect(CommandGrammar(of: type).has(option), "\(answer)")
        }
      }
    }
    for (word, topic) in UnknownCommand.otherTopics {
      #expect(UnknownCommand.error(in: ["help", word])?.advice == "did you mean '\(topic)'?")
      #expect(Chapters.names.contains(topic))
    }
  }

  @Test func everyWordOfAnotherLanguageIsAnswered() {
    for (word, advice) in SyntaxAdvice.words {
      let error = #expect(throws: QueryError.self) { try RQL.parse("name \(word) \"x\"") }
      #expect(error?.advice == advice, "\(word)")
    }
    for (word, advice) in SyntaxAdvice.beginnings {
      let error = #expect(throws: QueryError.self) { try RQL.parse("\(word) 3") }
      #expect(error?.advice == advice, "\(word)")
    }
  }
}
