import Foundation
import TestSupport
import Testing

@testable import realmctl

/// Advice about imported data, and about values that an option cannot have.
extension AdviceFollowedTests {
  static let importRows: [Row] = [
    Row(
      "import new.realm Toy.csv --create --create-classes --type Toy.name=text", "did you mean 'string'?",
      "import new.realm Toy.csv --create --create-classes --type Toy.name=string"),
    Row(
      "import types.realm tables/AllTypes.csv tables/AllTypes.embeddedList.csv --mode upsert --ignore-unknown",
      "has embedded objects; name the whole folder that 'export --explode' wrote",
      after: "realmctl export types.realm --format csv --explode -o tables",
      "import types.realm tables --mode upsert"),
    Row(
      "import dogs.realm Ball.csv --class Toy --mode upsert --match Toy.",
      "--match takes Class.property, such as Person.email",
      "import dogs.realm Ball.csv --class Toy --mode upsert --match Toy.name"),
    Row(
      "import dogs.realm Ball.csv --class Toy --mode upsert --match Toy.name --match Toy._id",
      "--match can be given only once for class 'Toy'",
      "import dogs.realm Ball.csv --class Toy --mode upsert --match Toy.name --match Dog.name"),
    Row(
      "import dogs.realm Toy.csv --mode upsert --match Toy.name",
      "omit --match to find existing objects by their primary keys", "import dogs.realm Toy.csv --mode upsert"),
    Row(
      "import dogs.realm named.csv --class Dog --link favoriteToy",
      "--link takes Class.property=Class.property, such as Dog.owner=Person.email",
      "import dogs.realm named.csv --class Dog --link Dog.favoriteToy=Toy.name"),
    Row(
      "import new.realm Toy.csv --create --create-classes --type name=string",
      "--type takes Class.property=TYPE, such as Person.age=int?",
      "import new.realm Toy.csv --create --create-classes --type Toy.name=string?"),
    Row(
      "import new.realm Toy.csv --create --create-classes --primary-key _id",
      "--primary-key takes Class.property, such as Person.email",
      "import new.realm Toy.csv --create --create-classes --primary-key Toy._id"),
    Row(
      "import new.realm Toy.csv --create --schema dogs.realm --primary-key Toy._id",
      "--primary-key needs --create-classes",
      "import new.realm Toy.csv --create --create-classes --primary-key Toy._id"),
    Row(
      "bundle dogs.realm --data Toy.csv --seed seed.realm --type Toy.name=string",
      "--type needs --create-classes",
      "bundle --data Toy.csv --seed seed.realm --type Toy.name=string --create-classes"),
    Row(
      "import new.realm foreign.sqlite --create --create-classes --map toys",
      "--map takes table=Class, such as people=Person",
      "import new.realm foreign.sqlite --create --create-classes --map Toy=Plaything"),
    Row(
      "import unversioned.realm foreign.sqlite", ", --create-classes to create them",
      "import unversioned.realm foreign.sqlite --create-classes"),
    Row(
      "import unversioned.realm foreign.sqlite --tables Toy --map Toy=Thing",
      "no class 'Thing' for the table 'Toy'; use --map to name another class, --create-classes to create it",
      "import unversioned.realm foreign.sqlite --tables Toy --map Toy=Thing --create-classes"),
    Row(
      "import unversioned.realm foreign.sqlite --tables Toy", "or --ignore-unknown to leave it out",
      "import unversioned.realm foreign.sqlite --tables Toy --ignore-unknown"),
    Row(
      "import person.realm foreign.sqlite --tables Person", "use --add-properties and --to-version to add them",
      "import person.realm foreign.sqlite --tables Person --add-properties --to-version 2"),
    Row(
      "import new.realm none.sqlite --create --create-classes", "no such file or directory; check the path",
      "import new.realm foreign.sqlite --create --create-classes"),
    Row(
      "import dogs.realm More.csv --from sqlite",
      "not a SQLite database; check the path, or name the format with --from",
      "import dogs.realm More.csv --class Toy --ignore-unknown --from csv"),
    Row(
      "$ realmctl import new.realm - --from sqlite --create --create-classes < foreign.sqlite",
      "write it to a file first", "import new.realm foreign.sqlite --create --create-classes"),
    Row(
      "$ realmctl import dogs.realm - --class Toy < toys.dat", "standard input needs --from",
      "$ realmctl import dogs.realm - --class Toy --from csv < toys.dat"),
    Row(
      "$ realmctl import dogs.realm - --from csv < toys.dat", "name it with --class",
      "$ realmctl import dogs.realm - --from csv --class Toy < toys.dat"),
    Row("schema infer toys.ndjson", "name it with --class", "schema infer toys.ndjson --class Toy"),
    Row(
      "import dogs.realm toys.dat --class Toy", "use --from csv, tsv, json, sqlite or realm",
      "import dogs.realm toys.dat --class Toy --from csv"),
    Row(
      "import dogs.realm toys.dat --from csv", "or --class to name another",
      "import dogs.realm toys.dat --from csv --class Toy"),
    Row(
      "import dogs.realm toys.txt --class Toy --from csv --delimiter ;;",
      #"--delimiter takes one ASCII character other than a quote or a line end, or \t for a tab"#,
      "import dogs.realm toys.txt --class Toy --from csv --delimiter ;"),
    Row(
      "import dogs.realm Toy.csv --rejects -", "--rejects needs the path of a file",
      "import dogs.realm Bad.csv --class Toy --max-errors 1 --rejects bad.ndjson|1"),
    Row(
      "import dogs.realm rows.csv --max-errors=-1", "--max-errors takes a whole number of 0 or greater",
      "import dogs.realm Bad.csv --class Toy --max-errors 1|1"),
    Row(
      "import Toy.csv dogs.realm", "the realm comes first: realmctl import dogs.realm Toy.csv",
      "import dogs.realm Toy.csv --mode upsert"),
    Row(
      "import dogs.realm Toy.tags.csv", "also name the file of the class, or name the whole folder",
      "import dogs.realm Toy.csv Toy.tags.csv --mode upsert --ignore-unknown"),
    Row(
      "import dogs.realm Toy.csv Toy.tags.csv --mode upsert", "use --ignore-unknown to leave it out",
      "import dogs.realm Toy.csv Toy.tags.csv --mode upsert --ignore-unknown"),
    Row(
      "import dogs.realm folder", "name another folder, or the files themselves",
      "import new.realm folder/dogs.realm --create --create-classes"),
    Row(
      "bundle dogs.realm --seed seed.realm --coerce", "--coerce needs --data",
      "bundle dogs.realm --seed seed.realm --coerce --data toys.ndjson --class Toy"),
    Row(
      "bundle --schema dogs.realm --seed seed.realm --keep-keys", "--keep-keys needs --data",
      "bundle --schema set.json --seed seed.realm --keep-keys --data sorted.json"),
    Row(
      "bundle dogs.realm --seed seed.realm --data toys.ndjson --class Toy --snapshot previous",
      "--snapshot cannot be used with --data or --schema", "bundle dogs.realm --seed seed.realm --snapshot previous"),
    Row(
      "bundle dogs.realm --seed seed.realm --schema dogs.json", "--schema and FILE cannot be used together",
      "bundle dogs.realm --seed seed.realm", "bundle --schema dogs.json --seed other.realm"),
    Row(
      "bundle dogs.realm --seed seed.realm --expect Dog=4", "fix the data, or change --expect",
      "bundle dogs.realm --seed seed.realm --expect Dog=5"),
    Row(
      "bundle --schema set.json --data more.json --seed seed.realm", "use --ignore-unknown to leave it out",
      "bundle --schema set.json --data more.json --seed seed.realm --ignore-unknown"),
    Row(
      "bundle --schema dogs.json --data twice.json --seed seed.realm", "use --mode upsert to update the object",
      "bundle --schema dogs.json --data twice.json --seed seed.realm --mode upsert"),
    Row(
      "bundle --schema set.json --data unsorted.json --keep-keys --seed seed.realm",
      "sort the objects by '_key', or omit --keep-keys",
      "bundle --schema set.json --data sorted.json --keep-keys --seed seed.realm",
      "bundle --schema set.json --data unsorted.json --seed other.realm"),
    Row(
      "bundle --schema dogs.realm --data dogs.dat --seed seed.realm", "it is a realm: use --from realm",
      after: "cp dogs.realm dogs.dat", "bundle --schema dogs.realm --data dogs.dat --seed seed.realm --from realm"),
    Row(
      "bundle --schema toy-model.json --data foreign.dat --seed seed.realm",
      "it is a SQLite database: use --from sqlite", after: "cp foreign.sqlite foreign.dat",
      "bundle --schema toy-model.json --data foreign.dat --tables Toy --seed seed.realm --from sqlite"),
    Row(
      "bundle --schema people.ndjson --data people.ndjson --seed seed.realm",
      "'bundle --data' read them", "bundle --schema less.json --data people.ndjson --seed seed.realm"),
    Row(
      "diff foreign.sqlite dogs.realm", "'import' reads other databases",
      "import new.realm foreign.sqlite --create --create-classes"),
    Row(
      "diff exported.sqlite dogs.realm --snapshot previous", "omit --snapshot",
      after: "realmctl export dogs.realm -o exported.sqlite", "diff exported.sqlite dogs.realm"),
    Row(
      "insert dogs.realm Toy _id=01234567-89ab-cdef-0123-456789abcdef name=x", "use 'update' to change that object",
      "update dogs.realm Toy _id==uuid(01234567-89ab-cdef-0123-456789abcdef) --set name=x --yes"),
  ]

  static let usageRows: [Row] = [
    Row(
      "compact dogs.realm --if total", "expected a condition such as total > 100MiB", "compact dogs.realm --if total>0"),
    Row(
      "open dogs.realm --compact-if total", "expected a condition such as total > 100MiB",
      "open dogs.realm --compact-if total>0"),
    Row(
      "update dogs.realm Toy --all --set name=x -o new.realm --wait 3", "cannot be used with -o",
      "update dogs.realm Toy --all --set name=x -o new.realm", "update dogs.realm Toy --all --set name=x --wait 3 --yes"
    ),
    Row(
      "migrate future.realm --rename Dog.name=title --to-version 4",
      "or make a copy with an empty history with 'write-copy'", "write-copy future.realm copy.realm",
      "migrate copy.realm --rename Dog.name=title --to-version 4"),
    Row("check dogs.realm --limit 0", "--limit takes a whole number of 1 or greater", "check dogs.realm --limit 1"),
    Row(
      "query dogs.realm Dog --limit=-1", "--limit takes a whole number of 0 or greater",
      "query dogs.realm Dog --limit 0"),
    Row(
      "query dogs.realm Dog --count --format csv",
      "--format cannot be used with --count, --exists, --keys or --explain",
      "query dogs.realm Dog --format csv", "query dogs.realm Dog --count"),
    Row(
      "query dogs.realm Dog --arg Rex", "--arg needs a query",
      "query dogs.realm Dog name==$0 --arg Rex"),
    Row(
      "query dogs.realm Dog --format table --pretty", "--pretty cannot be used with --format table",
      "query dogs.realm Dog --pretty --format json"),
    Row(
      "export dogs.realm --arg Rex", "--arg needs --where",
      "export dogs.realm --only Dog --where name==$0 --arg Rex"),
    Row(
      "export dogs.realm -o dogs.sqlite --for room|0", "--with-schema keeps the exact ones in _realm_values",
      "$ realmctl export dogs.realm -o exact.sqlite --for room --with-schema 2>&1 | grep '_realm_values has the exact ones'"
    ),
    Row(
      "export wide.realm -o wide.sqlite", "leave the class out with --exclude, or choose another format",
      after: "realmctl open wide.realm --create --schema wide.json", "export wide.realm -o wide.sqlite --exclude Wide",
      "export wide.realm -o wide.csv --only Wide"),
    Row(
      "schema dump wide.realm --format sql", "leave the class out with --exclude, or choose another format",
      after: "realmctl open wide.realm --create --schema wide.json",
      "schema dump wide.realm --format sql --exclude Wide", "schema dump wide.realm --format swift"),
    Row(
      "summarize dogs.realm Dog --arg Rex", "--arg needs a query",
      "summarize dogs.realm Dog name==$0 --arg Rex"),
    Row(
      "summarize dogs.realm Dog --top=-1", "--top takes a whole number from 0 to 1000",
      "summarize dogs.realm Dog --top 1000"),
    Row(
      "summarize dogs.realm Dog --bins 1001", "--bins takes a whole number from 1 to 1000",
      "summarize dogs.realm Dog --bins 1000"),
    Row(
      "schema dump dogs.realm --format sql --inverses", "--inverses cannot be used with --format sql",
      "schema dump dogs.realm --format swift --inverses"),
    Row(
      "schema dump dogs.realm --format swift --service atlas",
      "--service needs --format app-services",
      "schema dump dogs.realm --format app-services --service atlas"),
    Row(
      "diff dogs.realm secret.realm --new-key-file key --new-key-env NAME",
      "--new-key-file and --new-key-env cannot be used together", "diff dogs.realm secret.realm --new-key-file key|1"),
    Row("open secret.realm --key-prompt", "use --key-file or --key-env", "open secret.realm --key-file key"),
    Row(
      "open dogs.realm --wait 1", "--wait needs --upgrade or a configuration option such as --schema",
      "open dogs.realm --wait 1 --upgrade", "open dogs.realm --wait 1 --schema dogs.realm"),
    Row(
      "$ realmctl open - --schema dogs.realm < dogs.realm", "configuration options on standard input need --in-memory",
      "$ realmctl open - --schema dogs.realm --in-memory < dogs.realm"),
    Row(
      "open dogs.realm --delete-if-migration-needed", "--delete-if-migration-needed needs --schema",
      "open dogs.realm --delete-if-migration-needed --schema dogs.realm"),
    Row(
      "open dogs.realm --schema dogs.realm --read-only --upgrade", "--read-only and --upgrade cannot be used together",
      "open dogs.realm --schema dogs.realm --read-only", "open dogs.realm --schema dogs.realm --upgrade"),
    Row(
      "open dogs.realm --schema dogs.realm --read-only --plan text.yml",
      "--read-only and --plan cannot be used together", "open dogs.realm --schema dogs.realm --read-only"),
    Row(
      "open new.realm --seed-file older.realm --schema dogs.realm", "use --upgrade to convert the copy to format 24",
      "open new.realm --seed-file older.realm --schema dogs.realm --upgrade"),
    Row(
      "compact dogs.realm --if total/(free-free)>0|0", "check for zero first, as in 'free > 0 && total / free < 4'",
      "compact dogs.realm --if free>0&&total/free<4"),
    Row(
      "compact dogs.realm --backup -", "--backup needs the path of a file", "compact dogs.realm --backup before.realm"),
    Row(
      "compact old.v23.backup.realm", "use old.realm, or copy the backup to another name first",
      after: "cp dogs.realm old.v23.backup.realm", "$ cp old.v23.backup.realm copy.realm", "compact copy.realm"),
    Row(
      "compact dogs.realm --backup none/before.realm", "create it first, or name another with --backup",
      "$ mkdir none", "compact dogs.realm --backup none/before.realm"),
    Row(
      "compact dogs.realm", "remove the link, then try again", after: "ln -sf person.realm dogs.realm.lock",
      "$ rm dogs.realm.lock", "compact dogs.realm"),
    Row(
      "compact person.realm", "move it away, then try again", after: "mkdir person.realm.lock",
      "$ mv person.realm.lock away", "compact person.realm"),
    Row(
      "compact person.realm", "delete that hard link; the realm itself stays",
      after: "ln person.realm person.realm.lock", "$ rm person.realm.lock", "compact person.realm"),
    Row(
      "write-copy dogs.realm some.realm --where Dog:name=='Rex' --exclude Dog",
      "--where and --exclude both name class 'Dog'",
      "write-copy dogs.realm some.realm --where Dog:name=='Rex' --with-links"),
    Row(
      "write-copy homes.realm some.realm --where Address:city==nil", "filter the class that its objects belong to",
      after: "realmctl migrate homes.realm --schema homes.json --to-version 2 --on-shared duplicate",
      "write-copy homes.realm some.realm --where Person:address.city==nil"),
    Row(
      "write-copy dogs.realm - --force", "--force cannot be used with standard output",
      "$ realmctl write-copy dogs.realm - > some.realm", "check some.realm"),
    Row(
      "write-copy dogs.realm some.realm --redact all-rules.yml --as Toy._id=string --file-format 20",
      "--redact and --as cannot be used together", "write-copy dogs.realm some.realm --redact all-rules.yml"),
    Row(
      "write-copy dogs.realm some.realm --as Toy._id=string", "--as needs --file-format with an older file format",
      "write-copy dogs.realm some.realm --as Toy._id=string --file-format 20"),
    Row(
      "update dogs.realm Toy name=='Ball' --set name=x --expect 2 --yes",
      "so nothing was changed; 'query' shows the objects", "query dogs.realm Toy name=='Ball'",
      "update dogs.realm Toy name=='Ball' --set name=x --expect 1 --yes"),
    Row(
      "update dogs.realm Toy name=='Ball' --set name=x --expect=-1", "--expect takes a whole number of 0 or greater",
      "update dogs.realm Toy name=='None' --set name=x --expect 0"),
    Row(
      "update dogs.realm Toy name=='Ball' --set name=x --show 1001", "--show takes a whole number from 0 to 1000",
      "update dogs.realm Toy name=='Ball' --set name=x --show 1000 --dry-run"),
    Row(
      "update dogs.realm Toy --all --set name=x --yes --also dogs.realm", "name each realm once",
      "update dogs.realm Toy --all --set name=x --yes"),
    Row(
      #"update types.realm AllTypes _id==0 --remove dictInt["a"]=1"#, "--unset removes entries of dictionaries",
      #"update types.realm AllTypes _id==0 --yes --unset dictInt["a"]"#),
    Row(
      "update types.realm AllTypes _id==0 --yes --unset dictInt",
      #"--unset takes an entry of a dictionary, such as 'map["key"]'"#,
      #"update types.realm AllTypes _id==0 --yes --unset dictInt["a"]"#),
    Row(
      "update types.realm AllTypes _id==0 --yes --unset dictInt[a]",
      #"put its key in quotes, as in map["key"]"#,
      #"update types.realm AllTypes _id==0 --yes --unset dictInt["a"]"#),
    Row(
      "migrate person.realm", "missing change; use --plan, --schema, --rename, --convert, --set or --delete-class",
      "migrate person.realm --plan text.yml"),
    Row(
      "migrate person.realm --rename Person.age=years --to-version 2 --show 1001",
      "--show takes a whole number from 0 to 1000",
      "migrate person.realm --rename Person.age=years --to-version 2 --show 1000 --dry-run"),
    Row(
      "migrate person.realm --schema less.json --to-version 2 --init", "--init needs --plan",
      "migrate unversioned.realm --init --plan from.yml"),
    Row(
      "$ realmctl migrate person.realm --plan - < text.yml", "a plan from standard input needs --to-version",
      "$ realmctl migrate person.realm --plan - --to-version 2 < text.yml"),
    Row(
      "migrate person.realm --set Person.age=1 --set Person.age=2 --where Person:age>3 --to-version 2",
      "property 'Person.age' is given twice; give it one value",
      "migrate person.realm --set Person.age=2 --where Person:age>3 --to-version 2"),
    Row(
      "migrate dogs.realm --set Dog.name={breed} --to-version 4",
      "use {property|fallback}, coalesce(property, fallback) in a formula, or a plan with 'default' (--plan)",
      "migrate dogs.realm --set Dog.name={breed|x} --to-version 4"),
    Row(
      "migrate dogs.realm --set Dog.name={breed} --to-version 4", "or a plan with 'default' (--plan)",
      "migrate dogs.realm --plan default.yml"),
    Row(
      "migrate person.realm --restore-backups report.json",
      "--restore-backups ",
      after: "realmctl migrate person.realm --rename Person.age=years --to-version 2 --json > report.json",
      "migrate --restore-backups report.json"),
    Row(
      "migrate --restore-backups report.json", "use --force to restore the backup anyway",
      after:
        "realmctl migrate person.realm --rename Person.age=years --to-version 2 --json > report.json; realmctl migrate person.realm --rename Person.years=old --to-version 3 --no-backup",
      "migrate --restore-backups report.json --force"),
    Row(
      "recover dogs.realm -o saved.realm --report -", "--report and --strings need the path of a file",
      "recover dogs.realm -o saved.realm --report report.txt"),
    Row(
      "recover dogs.realm -o saved.realm --report a.txt --strings a.txt", "--report and --strings need two files",
      "recover dogs.realm -o saved.realm --report a.txt --strings b.txt"),
    Row(
      "open dogs.realm --progress --json", "--progress cannot be used with --quiet or --json",
      "open dogs.realm --json"),
    Row(
      "downgrade dogs.realm --file-format 20 --as Toy._id=double", "realmctl-downgrade(1) lists what --as can do",
      "downgrade dogs.realm --file-format 20 --as Toy._id=string"),
    Row(
      "downgrade types.realm --file-format 10 --as AllTypes.decimal128Col=string --as AllTypes.decimal128Col=double",
      "contradict each other; remove one of them",
      "downgrade types.realm --file-format 10 --as AllTypes.decimal128Col=string --allow-data-loss"),
    Row(
      "downgrade types.realm --file-format 20 --as AllTypes.setUuid=list", "add --as AllTypes.setUuid=string",
      "downgrade types.realm --file-format 20 --as AllTypes.setUuid=list --as AllTypes.setUuid=string --allow-data-loss"
    ),
    Row(
      "downgrade homes.realm --file-format 10 --as Address.city=plain",
      "name the embedded class, as in --as Address=plain",
      after: "realmctl migrate homes.realm --schema homes.json --to-version 2 --on-shared duplicate",
      "downgrade homes.realm --file-format 10 --as Address=plain"),
    Row(
      "downgrade dogs.realm --file-format 20 --as Toy=plain --as Toy._id=string", "omit --as Toy=plain",
      "downgrade dogs.realm --file-format 20 --as Toy._id=string"),
    Row(
      "downgrade dogs.realm --file-format 20 --as Nobody._id=string", "the classes are: Dog, Person, Toy",
      "downgrade dogs.realm --file-format 20 --as Toy._id=string"),
    Row(
      "write-copy dogs.realm some.realm --redact all-rules.yml --redact-key-file short.key",
      "make one with 'openssl rand -out FILE 32'", after: "echo x > short.key", "$ head -c 32 /dev/zero > long.key",
      "write-copy dogs.realm some.realm --redact all-rules.yml --redact-key-file long.key"),
  ]

  /// Objects in many forms.
  static func fillWithData(_ folder: TemporaryFolder) throws {
    func write(_ name: String, _ text: String) throws { try folder.write(name, Array(text.utf8)) }
    try write("Ball.csv", "_id,name\n01234567-89ab-cdef-0123-456789abcdef,Ball\n")
    try write("Toy.tags.csv", "_owner,_position,_value,_value_type\n11111111-2222-3333-4444-555555555555,0,a,string\n")
    try write("named.csv", "_id,name,dateOfBirth,favoriteToy\n650000000000000000000077,Ada,2020-01-01T00:00:00Z,Ball\n")
    try write("toys.dat", "_id,name\n41111111-2222-3333-4444-555555555555,Duck\n")
    try write("set.json", #"[{"name":"A","properties":{"n":"int"}}]"#)
    try write("more.json", #"{"A":[{"n":5,"m":6}]}"#)
    try write("sorted.json", #"{"A":[{"_key":1,"n":6},{"_key":3,"n":5}]}"#)
    try write("unsorted.json", #"{"A":[{"_key":3,"n":5},{"_key":1,"n":6}]}"#)
    let toy = #"{"_id":"41111111-2222-3333-4444-555555555556","name":"A"}"#
    try write("twice.json", #"{"Toy":[\#(toy),\#(toy)]}"#)
    try write("toy-model.json", #"[{"name":"Toy","primaryKey":"_id","properties":{"_id":"string","name":"string"}}]"#)
    let properties = (0..<2001).map { #""p\#($0)":"int""# }.joined(separator: ",")
    try write(
      "wide.json",
      #"[{"name":"Wide","properties":{\#(properties)}},{"name":"Narrow","properties":{"n":"int"}}]"#)
    try write(
      "default.yml",
      "plan: 1\nsteps:\n  - to: 4\n    do:\n"
        + "      - set: { class: Dog, values: { name: { expr: breed } }, default: x }\n")
    try folder.write("foreign.sqlite", foreign.get())
    // A history of an unknown kind.
    let future = try NodeTree(Fixture.bytes("engine/dogs.realm"))
    (future.root.elements[7], future.root.elements[9]) = (.tagged(5), .tagged(1))
    try folder.write("future.realm", future.written(.normal))
  }

  /// A database that does not say that a realm was exported to it.
  private static let foreign = Result {
    let folder = try TemporaryFolder()
    let realm = Fixture.folder.appendingPathComponent("engine/dogs.realm").path
    let outcome = try Tool().run("export", realm, "-o", folder.path("foreign.sqlite"), "--for", "room")
    try #require(outcome.status == 0)
    return try Fixture.bytes(ofFile: folder.path("foreign.sqlite"))
  }
}
