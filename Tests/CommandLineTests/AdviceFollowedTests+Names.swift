import Foundation
import TestSupport
import Testing

@testable import realmctl

/// Advice about names, and about what was typed in the place of something else.
extension AdviceFollowedTests {
  static let nameRows: [Row] = [
    Row("inspect dogs.realm", "did you mean 'open'?", "open dogs.realm"),
    Row("help rq", "did you mean 'rql'?", "help rql"),
    Row("open dogs.realm --format json", "for JSON, write --json", "open dogs.realm --json"),
    Row(
      "migrate person.realm --schema less.json --schema-version 2", "did you mean '--to-version'?",
      "migrate person.realm --schema less.json --to-version 2 --allow-data-loss"),
    Row("rm dogs.realm --force", "--yes deletes without asking", "rm dogs.realm --yes"),
    Row("migrate dogs.realm dogs.realm --plan text.yml", "name each realm once", "plan --help"),
    Row("$ realmctl export dogs.realm -o ''", "-o takes a path, not ''", "export dogs.realm -o d.json"),
    Row("help rqll", "did you mean 'rql'?", "help rql"),
    Row("rql", "for the topic: realmctl help rql", "help rql"),
    Row("help nonsense", "See 'realmctl --help' for all commands and topics", "--help"),
    Row("help query Dog", "See 'realmctl help query'", "help query"),
    Row("help rql more", "See 'realmctl help rql'", "help rql"),
    Row("schema dmp", "See 'realmctl schema --help' for all commands", "schema --help"),
    Row("help plan|0", "'realmctl plan --help' describes the commands", "plan --help"),
    Row("plan --help|0", "'realmctl help plan' describes plan files", "help plan"),
    Row("schema --help|0", "'realmctl help schema' describes schema files", "help schema"),
    Row("query dogs.realm name=='Rex'|3", "the class comes before the query", "query dogs.realm Dog name=='Rex'"),
    Row("summarize dogs.realm Dog.name|3", "write Dog --columns name", "summarize dogs.realm Dog --columns name"),
    Row("query dogs.realm Dog.name|3", "write Dog --columns name", "query dogs.realm Dog --columns name"),
    Row("export dogs.realm --only Dog.name|3", "name the class alone: Dog", "export dogs.realm --only Dog"),
    Row("export dogs.realm --class Dog", "did you mean '--only'?", "export dogs.realm --only Dog"),
    Row("query dogs.realm --class Dog", "the class is an argument: realmctl query FILE CLASS", "query dogs.realm Dog"),
    Row(
      "query dogs.realm Dog --sort name", "such as 'SORT(name ASC)'", "$ realmctl query dogs.realm Dog 'SORT(name ASC)'"
    ),
    Row("summarize dogs.realm Dog --property name", "'--columns'", "summarize dogs.realm Dog --columns name"),
    Row("export dogs.realm --columns name", "'query --columns'", "query dogs.realm Dog --columns name"),
    Row(
      "write-copy dogs.realm locked.realm --encrypt", "give its key with --out-key-file",
      "write-copy dogs.realm locked.realm --out-key-file key", "check locked.realm --key-file key"),
    Row(
      "check damaged.realm --fix", "'recover' saves a damaged realm", "recover damaged.realm -o fixed.realm|1",
      "check fixed.realm"),
    Row(
      "export dogs.realm -o dogs.xml|0", "choose the format with --format", "export dogs.realm -o d.xml --format json"),
    Row(
      "query dogs.realm Dog --columns nam|3", "did you mean 'name'?", "query dogs.realm Dog --columns name"),
    Row(
      "query dogs.realm Toy --columns x|3", "the properties are: _id, name", "query dogs.realm Toy --columns _id,name"),
    Row(
      "update dogs.realm Toy --all --yes --set nam=x|3", "did you mean 'name'?",
      "update dogs.realm Toy --all --yes --set name=x"),
    Row(
      "insert dogs.realm Nobody name=x|3", "the classes are: Dog, Person, Toy",
      "insert dogs.realm Toy _id=51111111-2222-3333-4444-555555555555 name=x"),
    Row(
      "insert dogs.realm Toy name=x|7", "the primary key '_id' is missing, so nothing was changed; add _id=VALUE",
      "insert dogs.realm Toy _id=51111111-2222-3333-4444-555555555555 name=x"),
    Row(
      "update dogs.realm Toy name=x", "write --set name=x", "update dogs.realm Toy --all --yes --set name=x"),
    Row(
      "update dogs.realm Toy --all --yes --set Toy.name=x|3", "did you mean 'name'?",
      "update dogs.realm Toy --all --yes --set name=x"),
    Row(
      "migrate person.realm --to-version 2 --set Person.firstName==x", "for text that begins with =, use a plan",
      "migrate person.realm --to-version 2 --set Person.firstName=x"),
    Row(
      "$ realmctl migrate person.realm --to-version 2 --set 'Person.firstName = x'", "without spaces around =",
      "migrate person.realm --to-version 2 --set Person.firstName=x"),
    Row(
      "export dogs.realm -only Dog", "unknown option '-only'; did you mean '--only'?", "export dogs.realm --only Dog"),
    Row(
      "update dogs.realm Dog --filter name=='Rex' --set name=x", "the query is an argument: realmctl update FILE CLASS",
      "update dogs.realm Dog name=='Rex' --set name=x --yes"),
    Row("query dogs.realm Dog --select name", "did you mean '--columns'?", "query dogs.realm Dog --columns name"),
    Row("export dogs.realm --only Dog Person", "write --only Dog,Person", "export dogs.realm --only Dog,Person"),
    Row(
      "write-copy -o c.realm dogs.realm", "the output is an argument: realmctl write-copy FILE DEST",
      "write-copy dogs.realm c.realm"),
    Row("downgrade dogs.realm 23", "write --file-format 23", "downgrade dogs.realm --file-format 23"),
    Row(
      "migrate person.realm --to-version 2 --delete-class Person.age|3",
      "to delete a property, use 'remove_property' in a plan", "plan --help"),
    Row("rm -rf dogs.realm", "unknown option '-rf'; --yes deletes without asking", "rm dogs.realm --yes"),
    Row(
      "stats dogs.realm -o s.txt", "redirect standard output instead: > FILE", "$ realmctl stats dogs.realm > s.txt"),
    Row(
      "export dogs.realm -o copy.realm",
      "the output would not be a realm; choose another extension, or copy a realm with",
      "export dogs.realm -o copy.json", "write-copy dogs.realm copy.realm"),
    Row(
      "write-copy dogs.realm copy.json",
      "the output would be a realm; choose another extension, or use 'export' for JSON",
      "write-copy dogs.realm copy.realm", "export dogs.realm -o copy.json"),
    Row(
      "export dogs.realm --for room", "--for needs --format sqlite, or -o NAME.sqlite",
      "export dogs.realm --for room -o dogs.sqlite"),
    Row(
      "diff dogs.realm dogs.realm --key-file none.key|4", "none.key: no such file or directory; check the path",
      "diff dogs.realm dogs.realm"),
    Row(
      "write-copy dogs.realm locked.realm --out-key-env UNSET_HERE", "or use --out-key-file",
      "write-copy dogs.realm locked.realm --out-key-file key"),
    Row(
      "migrate dogs.realm --convert Dog.breed=string --to-version 4|7",
      "keep null with --convert 'Dog.breed=string?', or use a plan",
      "migrate dogs.realm --convert Dog.breed=string? --to-version 4"),
    Row(
      "downgrade dogs.realm --file-format 9", "--file-format takes 10, 11, 20, 22 or 23",
      "downgrade dogs.realm --file-format 23"),
    Row(
      "migrate person.realm --schema secret.realm --to-version 2|4",
      "write its schema to a file: realmctl schema dump secret.realm --key-file KEY --format json -o schema.json",
      "schema dump secret.realm --key-file key --format json -o schema.json",
      "migrate person.realm --schema schema.json --to-version 2 --allow-data-loss"),
    Row(
      "migrate person.realm --delete-class Nobody --to-version 2|3",
      "--delete-class: no class 'Nobody', so nothing was changed; the only class is 'Person'",
      "migrate person.realm --delete-class Person --to-version 2 --allow-data-loss"),
    Row(
      "migrate person.realm --rename Person.nam=x --to-version 2|3",
      "the properties are: firstName, lastName, age", "migrate person.realm --rename Person.age=x --to-version 2"),
  ]

  /// Files that are not changed.
  static let refusalRows: [Row] = [
    Row(
      "update test-build.realm Toy --all --set name=x",
      "save its objects with 'export' and build a realm from them with 'bundle --data'",
      "export test-build.realm --format typed -o objects.json",
      "bundle --schema test-build.realm --data objects.json --seed new.realm", "check new.realm",
      "update new.realm Toy --all --set name=x"),
    Row(
      "browse dogs.realm --edit --snapshot previous",
      "--edit: an older snapshot can only be read; omit --snapshot", "browse dogs.realm --edit|2"),
    Row(
      "browse d.pre-edit-20240101T000000Z.realm --edit", "the realm is d.realm",
      after: "cp dogs.realm d.realm; cp dogs.realm d.pre-edit-20240101T000000Z.realm", "browse d.realm --edit|2"),
    Row(
      "$ cat dogs.realm | realmctl browse /dev/stdin --edit", "a pipe can only be read; write it to a file first",
      "$ cat dogs.realm > saved.realm", "browse saved.realm --edit|2"),
  ]

  /// A realm whose metadata looks as a test build of the engine writes it, with four objects in a cluster.
  static let testBuild = Result {
    let tree = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    let clusters = [4, 2].map { count in
      EditableNode.Element.child(.refs([.tagged(count), .child(.numbers(Array(repeating: 1, count: Int(count))))]))
    }
    try tree.table("metadata").top.elements[2] = .child(
      .refs([.raw(0), .tagged(1), .tagged(6)] + clusters, flags: 0xc0))
    return tree.written(.normal)
  }

  /// Mistakes in queries.
  static let queryRows: [Row] = [
    Row(
      "$ realmctl query dogs.realm Dog \"name LIKES 'R*'\"", "did you mean LIKE?",
      "$ realmctl query dogs.realm Dog \"name LIKE 'R*'\""),
    Row(
      "$ realmctl query dogs.realm Dog \"name == 'Rex' ORDER BY name\"", "write SORT(property ASC)",
      "$ realmctl query dogs.realm Dog \"name == 'Rex' SORT(name ASC)\""),
    Row(
      "$ realmctl query dogs.realm Dog 'name CONTAINS 5'", "put text in quotes",
      "$ realmctl query dogs.realm Dog 'name CONTAINS \"5\"'"),
    Row(
      "query dogs.realm Dog name", "'name' is a property, not a query; write name == VALUE",
      "query dogs.realm Dog name=='Rex'"),
    Row("query dogs.realm Dog name==5", "put text in quotes", "query dogs.realm Dog name=='5'"),
    Row("query dogs.realm Dog name==\"Rex", "close the quote", "query dogs.realm Dog name==\"Rex\""),
    Row(
      "query dogs.realm Dog dateOfBirth>'2018-01-01'", "write dates without quotes, as in 2024-01-31@12:00:00",
      "query dogs.realm Dog dateOfBirth>2018-01-01@00:00:00"),
    Row(
      "query dogs.realm Toy _id=='01234567-89ab-cdef-0123-456789abcdef'",
      "write uuid(01234567-89ab-cdef-0123-456789abcdef)",
      "query dogs.realm Toy _id==uuid(01234567-89ab-cdef-0123-456789abcdef)"),
    Row(
      "query dogs.realm Dog _id=='650000000000000000000000'", "write oid(650000000000000000000000)",
      "query dogs.realm Dog _id==oid(650000000000000000000000)"),
    Row(
      "query person.realm Person age=='x'", "'age' is a number", "query person.realm Person age==42"),
    Row(
      "query person.realm Person age==''", "to find objects without a value, write age == null",
      "query person.realm Person age==null"),
  ]
}
