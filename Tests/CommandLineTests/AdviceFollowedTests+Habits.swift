/// Advice for what people write who know SQL, another language or another program.
extension AdviceFollowedTests {
  /// A query with a mistake, what the message says, and the query that a reader then writes.
  private static func query(_ className: String, _ wrong: String, _ advice: String, _ right: String) -> Row {
    let start = "$ realmctl query dogs.realm \(className) --count "
    return Row("\(start)'\(wrong)'", advice, "\(start)'\(right)'")
  }

  static let habitRows: [Row] = [
    query("Dog", "LIMIT 3", "write LIMIT(3)", "LIMIT(3)"),
    query("Dog", #"name IN ("a","b")"#, #"write IN {"a","b"}"#, #"name IN {"a","b"}"#),
    query("Dog", #"name IN ("a")"#, #"write IN {"a"}"#, #"name IN {"a"}"#),
    query("Dog", #"name startswith "R""#, "write BEGINSWITH", #"name BEGINSWITH "R""#),
    query("Dog", #"startswith(name, "R")"#, "write name BEGINSWITH", #"name BEGINSWITH "R""#),
    query("Dog", "SORT(name DSC)", "did you mean DESC?", "SORT(name DESC)"),
    query("Dog", "SORT(name)", "add ASC or DESC", "SORT(name ASC)"),
    query("Dog", "SORT name", "write SORT(name ASC)", "SORT(name ASC)"),
    query("Dog", "DISTINCT breed", "write DISTINCT(breed)", "DISTINCT(breed)"),
    query("Person", "COUNT(dogs) > 1", "write dogs.@count", "dogs.@count > 1"),
    query("Person", "dogs.size() > 1", "write dogs.@count", "dogs.@count > 1"),
    Row(
      "summarize dogs.realm Dog name|8", "or --columns name to show only that",
      "summarize dogs.realm Dog --columns name"),
    query("Dog", "LIMIT 3", "unexpected number; write LIMIT(3)", "LIMIT(3)"),
    query("Dog", "breed NOT NULL", "write != null", "breed != null"),
    query("Dog", #"name: "Rex""#, #"write name == "Rex""#, #"name == "Rex""#),
    query("Dog", "name:Rex", #"write name == "Rex""#, #"name == "Rex""#),
    query("Person", "dogs.isEmpty", "write dogs.@count == 0", "dogs.@count == 0"),
    query("Person", "dogs IS EMPTY", "write .@count == 0 after the name of a list", "dogs.@count == 0"),
    query("Dog", #"dateOfBirth > new Date("2018-01-01")"#, "write dates as 2024-01-31", "dateOfBirth > 2018-01-01"),
    query(
      "Dog", "favoriteToy == uuid(01234567-89ab-cdef-0123-456789abcdef)",
      "compare a property of the object, such as favoriteToy._id",
      "favoriteToy._id == uuid(01234567-89ab-cdef-0123-456789abcdef)"),
    query("Person", "dogs.@count == 1,000", "write numbers without commas: 1000", "dogs.@count == 1000"),
    query("Person", "dogs.@count == 1,5", "write a decimal point: 1.5", "dogs.@count == 1.5"),
    query("Person", "dogs.@count == 30L", "a number has only digits and one decimal point", "dogs.@count == 30"),
    Row(
      #"$ realmctl query dogs.realm Person "name == 'O'Brien'""#, #"write \' for a quote within quotes"#,
      #"$ realmctl query dogs.realm Person "name == 'O\\'Brien'""#),
    Row(
      #"$ realmctl query dogs.realm Dog "name == Rex's""#, "put text in quotes",
      #"$ realmctl query dogs.realm Dog 'name == "Rex'"'"'s"'"#),
    query("Dog", #"name = "Rex" COLLATE NOCASE"#, "write ==[c] to ignore case", #"name ==[c] "Rex""#),
    query("Person", #"dogs[0] == "Rex""#, "such as dogs[0].name", #"dogs[0].name == "Rex""#),
    query(
      "Dog", #"favoriteToy == {name: "Ball"}"#, "write favoriteToy.name == VALUE", #"favoriteToy.name == "Ball""#),
    query("Dog", "SORT(name:DESC)", "write a space in place of the colon", "SORT(name DESC)"),
    query("Dog", "NOT", "a condition must follow NOT", #"NOT name == "Rex""#),
    query("Dog", "LIMIT(x)", "such as LIMIT(10)", "LIMIT(10)"),
    query("Dog", "breed == null AND name", "write name == VALUE", #"breed == null AND name == "Rex""#),
    query("Dog", #"name == "\q""#, #"write \\ for a backslash"#, #"name == "\\q""#),
    query("Dog", #"name == decimal("x")"#, "'decimal' is not a function", #"name == "x""#),
    Row(
      #"$ realmctl delete dogs.realm 'name == "Ball"'"#, "the class comes before the query",
      #"$ realmctl delete dogs.realm Toy 'name == "Ball"' --yes"#),
    Row("open -?", "did you mean '--help'?", "open --help"),
    Row("$ realmctl sql dogs.realm \"SELECT 'x\"|8", "close the quote", "$ realmctl sql dogs.realm \"SELECT 'x'\""),
    Row(
      "--generate-completion-script foo", "takes bash, zsh or fish, not 'foo'", "--generate-completion-script bash"),
    Row("-?", "did you mean '--help'?", "--help"),
    Row("sql dogs.realm VACUUM|8", "'compact' makes a realm smaller", "compact dogs.realm"),
    Row("schema dump dogs.realm Dog|3", "if it is a class, write --only Dog", "schema dump dogs.realm --only Dog"),
    Row(
      "query dogs.realm Dog -o dogs.db|0", "or write a SQLite database with 'export'",
      "export dogs.realm -o exported.sqlite"),
    Row("hash dogs.realm --only Dog", "--per-class prints a hash for each class", "hash dogs.realm --per-class"),
    query("Dog", "NOT name", "write NOT name == VALUE", #"NOT name == "Rex""#),
    query("Dog", "name AND breed == null", "write name == VALUE", #"name == "Rex" AND breed == null"#),
    query("Dog", #"AND name == "Rex""#, "unexpected AND; omit AND", #"name == "Rex""#),
    query("Dog", #"name == "Rex" AN breed == null"#, "did you mean AND?", #"name == "Rex" AND breed == null"#),
    Row(
      "$ realmctl sql 'SELECT 1'|3", "the file comes before the statement: realmctl sql FILE 'SELECT 1'",
      "$ realmctl sql dogs.realm 'SELECT 1'"),
    Row("sql dogs.realm report.sql|8", "to run a file: realmctl sql dogs.realm < report.sql", "sql dogs.realm .tables"),
    query("Person", #""name" == 3"#, "write the property without quotes: name", #"name == "3""#),
    query(
      "Dog", #"name == "Rex", breed == null"#, "combine conditions with AND or OR", #"name == "Rex" AND breed == null"#),
    query("Dog", #"name == "Rex" LIMIT(3) OFFSET(2)"#, "'sql' has LIMIT … OFFSET", #"name == "Rex" LIMIT(3)"#),
    query("Dog", "name == None", "write null", "name == null"),
    query("Dog", #"name CONTAINS(c) "a""#, "write CONTAINS[c]", #"name CONTAINS[c] "a""#),
    query("Dog", "name ==", "a value must follow ==", #"name == "Rex""#),
    query("Dog", #"name == "Rex" AND"#, "a condition must follow AND", #"name == "Rex" AND breed == null"#),
    query(
      "Dog", #"name == "Rex" name == "Fido""#, "combine conditions with AND or OR", #"name == "Rex" OR name == "Fido""#),
    query(
      "Dog", #"name == "Rex" LIMIT(1) AND breed == null"#, "SORT, DISTINCT and LIMIT come last",
      #"name == "Rex" AND breed == null LIMIT(1)"#),
    query("Dog", "name == Snow White", "put text in quotes", #"name == "Snow White""#),
    query("Dog", #"(name == "Rex""#, "close the parenthesis", #"(name == "Rex")"#),
    query("Dog", #"name == "Rex")"#, "omit ')'", #"name == "Rex""#),
    query("Dog", #"Dog.name == "Rex""#, "omit 'Dog.'", #"name == "Rex""#),
    query("Dog", "_id == 3", "as in oid(507f1f77bcf86cd799439011)", "_id == oid(507f1f77bcf86cd799439011)"),
    query("Dog", "dateOfBirth > 2018-13-01", "check the month, the day and the time", "dateOfBirth > 2018-12-01"),
    query("Person", "dogs > 3", "write dogs.@count > …", "dogs.@count > 3"),
    query("Person", "dogs.@count", "write dogs.@count > 0", "dogs.@count > 0"),
    query("Person", "ALL dogs.name", "write ALL dogs.name == VALUE", #"ALL dogs.name == "Rex""#),
    query(
      "Person", #"SUBQUERY(dogs, $d, $d.name == "x")"#, "write SUBQUERY(…).@count > 0",
      #"SUBQUERY(dogs, $d, $d.name == "x").@count > 0"#),
    query("Dog", "1 == 1", "TRUEPREDICATE matches all objects", "TRUEPREDICATE"),
    query("Dog", "*", "TRUEPREDICATE matches all objects", "TRUEPREDICATE"),
    query("Person", "dogs == null", "for an empty list, write dogs.@count == 0", "dogs.@count == 0"),
    query("Dog", #"name == "Rex";"#, "invalid character: ';'; omit the semicolon", #"name == "Rex""#),
    Row(
      "query dogs.realm Dog --columns name breed", "if it is a column, write --columns name,breed",
      "query dogs.realm Dog --columns name,breed"),
    Row(
      "$ realmctl delete dogs.realm Dog ''", "the query is empty; for all objects, use --all",
      "delete dogs.realm Dog --all --dry-run"),
    Row(
      "$ realmctl export dogs.realm --only Dog --where ''", "the query is empty; for all objects, omit --where",
      "export dogs.realm --only Dog"),
    Row(
      "$ realmctl sql dogs.realm \"name == 'Rex'\"|8", "for RQL: realmctl query dogs.realm CLASS",
      "$ realmctl query dogs.realm Dog \"name == 'Rex'\""),
    Row(
      "sql dogs.realm Dog|8", "for its rows, write SELECT * FROM Dog", "$ realmctl sql dogs.realm 'SELECT * FROM Dog'"),
    Row(
      "$ realmctl delete dogs.realm 'DELETE FROM Dog'",
      "no class 'DELETE FROM Dog'; write realmctl delete FILE CLASS 'QUERY'",
      "delete dogs.realm Dog TRUEPREDICATE --dry-run"),
    Row("summarize Dog", "the file comes before it: realmctl summarize FILE Dog", "summarize dogs.realm Dog"),
    Row("help encryption", "did you mean 'keys'?", "help keys"),
    Row(
      "sql dogs.realm tables|8", "for the tables, write .tables", "sql dogs.realm .tables"),
    Row(
      "update dogs.realm Dog SET breed = Pug", "to change values, write --set breed=Pug, with a query or --all",
      "update dogs.realm Dog --set breed=Pug --all"),
    Row(
      "query dogs.realm SELECT name FROM Dog", "for SQL: realmctl sql dogs.realm 'SELECT name FROM Dog'",
      "sql dogs.realm SELECT/**/name/**/FROM/**/Dog"),
    query("Person", "dogs.length > 1", "did you mean '@count'?", "dogs.@count > 1"),
    query("Dog", "name.length > 3", "did you mean '@count'?", "name.@count > 3"),
    query("Dog", "LENGTH(name) > 3", "write name.@count", "name.@count > 3"),
    query("Dog", #"UPPER(name) == "REX""#, "write ==[c] to ignore case", #"name ==[c] "REX""#),
    query("Dog", "dateOfBirth > 01.02.2018", "write dates as year-month-day", "dateOfBirth > 2018-02-01"),
    query("Dog", "dateOfBirth > 2018", "write dates as year-month-day", "dateOfBirth > 2018-01-01"),
    query(
      "Dog", "dateOfBirth > 2018-02-01 10:00", "write date and time as 2018-02-01@12:00:00",
      "dateOfBirth > 2018-02-01@12:00:00"),
    query("Dog", "dateOfBirth > now()", "write dates as 2024-01-31", "dateOfBirth > 2024-01-31"),
    query("Dog", #"favoriteToy == "Ball""#, "such as favoriteToy.name", #"favoriteToy.name == "Ball""#),
    query(
      "Dog", "favoriteToy == 5", #"compare it with an object: obj("Toy", KEY)"#,
      #"favoriteToy == obj("Toy", uuid(00000000-0000-0000-0000-000000000000))"#),
    query("Person", #"dogs == "Rex""#, "such as dogs.name", #"dogs.name == "Rex""#),
    query("Dog", #"name TEXT "Rex""#, "write CONTAINS[c]", #"name CONTAINS[c] "Rex""#),
    query("Dog", #"WHERE name = "Rex""#, "omit WHERE", #"name = "Rex""#),
    query("Dog", "SELECT * FROM Dog", "write the condition alone", #"name = "Rex""#),
    query("Dog", #"name BETWEEN "a" AND "b""#, #"write BETWEEN {"a", "b"}"#, #"name != "a""#),
    query("Dog", #"name NOT IN {"Rex"}"#, "write NOT before the property", #"NOT name IN {"Rex"}"#),
    query("Dog", #"name EQUALS "Rex""#, "write ==", #"name == "Rex""#),
    query("Dog", #"name === "Rex""#, "write ==", #"name == "Rex""#),
    query("Dog", #"name =~ "R*""#, "write LIKE", #"name LIKE "R*""#),
    query("Dog", #"name MATCHES "R.*""#, "write LIKE, with * and ?", #"name LIKE "R*""#),
    query("Dog", #"name has "e""#, "write CONTAINS", #"name CONTAINS "e""#),
    query("Dog", #"name == "Rex" & breed == null"#, "write &&", #"name == "Rex" && breed == null"#),
    query("Dog", "breed exists", "write != null", "breed != null"),
    query("Dog", #"name IN ["Rex", "Bello"]"#, #"write IN {"Rex", "Bello"}"#, #"name IN {"Rex", "Bello"}"#),
    query("Dog", #"dog => dog.name == "Rex""#, "write the condition alone, without 'name =>'", #"name == "Rex""#),
    query("Dog", "_id == oid(65)", "an object id has 24 hex digits", "_id == oid(650000000000000000000000)"),
    query("Dog", #"Dog:name == "Rex""#, "omit 'Dog:'", #"name == "Rex""#),
    query("Person", "dogs.@cout > 1", "there are @count", "dogs.@count > 1"),
    Row(
      "query dogs.realm Dog name==%@ --arg Rex", "write $0, and give its value with --arg",
      "$ realmctl query dogs.realm Dog 'name == $0' --arg Rex"),
    Row("remove dogs.realm", "did you mean 'rm' (a file)", "rm dogs.realm --yes"),
    Row("vacuum dogs.realm", "did you mean 'compact'?", "compact dogs.realm"),
    Row("export dogs.realm --only Dog --csv", "write --format csv", "export dogs.realm --only Dog --format csv"),
    Row(
      "delete dogs.realm Toy --all --also out.realm|3", "no such file or directory, so nothing was changed",
      "query dogs.realm Toy name=='Ball'"),
    Row("compact out.realm dogs.realm|3", "so nothing was changed; check the path", "check dogs.realm"),
    Row("compact dogs.realm out.realm", "or put -o before it if it is the output", "compact dogs.realm -o out.realm"),
    query(
      "Dog", "_id == 650000000000000000000000", "write oid(650000000000000000000000)",
      "_id == oid(650000000000000000000000)"),
    query(
      "Dog", #"_id == ObjectId("650000000000000000000000")"#, "write oid(650000000000000000000000)",
      "_id == oid(650000000000000000000000)"),
    query(
      "Toy", "_id == 01234567-89ab-cdef-0123-456789abcdef", "write uuid(01234567-89ab-cdef-0123-456789abcdef)",
      "_id == uuid(01234567-89ab-cdef-0123-456789abcdef)"),
    Row(
      #"$ realmctl query dogs.realm Dog --strict 'name LIKE "R%"'"#, "use * for any characters, ? for one",
      #"$ realmctl query dogs.realm Dog --strict 'name LIKE "R*"'"#),
    Row(
      "query dogs.realm Dog --columns favoriteToy.|3", "a path through links",
      "query dogs.realm Dog --columns favoriteToy.name"),
    Row(
      "check contradicted.realm|1", "compare with a backup, then run 'compact --rebuild'",
      "compact --rebuild contradicted.realm", "check contradicted.realm --strict"),
    Row("check free.realm|1", "'compact' makes a new list of free space", "compact free.realm", "check free.realm"),
    Row(
      "check history.realm|1", "'write-copy --rebuild' makes a local copy with an empty history",
      "write-copy --rebuild history.realm copy.realm",
      "check copy.realm"),
    Row("check free.realm|1", "'compact' makes a new list of free space", "compact --rebuild free.realm"),
    Row(
      "plan check dogs.realm accepted.yml", "is a realm, not a plan; name the plan first: 'plan check PLAN FILE'",
      "plan check accepted.yml person.realm"),
    Row(
      "redact check dogs.realm all-rules.yml", "is a realm, not rules; name the rules first: 'redact check RULES FILE'",
      "redact check all-rules.yml dogs.realm"),
    Row(
      "migrate person.realm --plan dogs.realm", "a realm, not a plan; name a plan in YAML or JSON",
      "migrate person.realm --plan text.yml"),
    Row("query dogs.realm", "'open dogs.realm' lists the classes", "query dogs.realm Dog"),
    Row(
      "plan dogs.realm", "did you mean 'realmctl plan new dogs.realm'?",
      "plan new dogs.realm --schema dogs.realm --to-version 9"),
    Row("export dogs.realm -f ndjson", "did you mean '--format'?", "export dogs.realm --format ndjson"),
    Row("schema dump dogs.realm --lang swift", "did you mean '--format'?", "schema dump dogs.realm --format swift"),
    Row(
      "$ realmctl update dogs.realm Dog \"SET name = 'x' WHERE name = 'Rex'\"",
      "write the condition as the query, and each value as --set property=VALUE",
      "$ realmctl update dogs.realm Dog \"name = 'Rex'\" --set name=x"),
    Row(
      "update dogs.realm Dog name=='Rex' name=Max", "write --set name=Max",
      "update dogs.realm Dog name=='Rex' --set name=Max"),
    Row(
      "insert dogs.realm Toy --set name=Ball", "write property=VALUE without --set",
      "insert dogs.realm Toy _id=01234567-89ab-cdef-0123-456789abcd00 name=Ball"),
    Row("rm dogs.realm -f", "--yes deletes without asking", "rm dogs.realm --yes"),
    Row("bundle dogs.realm -o seed.realm", "did you mean '--seed'?", "bundle dogs.realm --seed seed.realm"),
    Row("export dogs.realm --to ndjson", "did you mean '--format'?", "export dogs.realm --format ndjson"),
    Row(
      "sql dogs.realm SELECT name FROM Dog", "put the whole statement in quotes",
      "$ realmctl sql dogs.realm 'SELECT name FROM Dog'"),
    Row(
      "$ realmctl update dogs.realm Dog --all --set 'name = Max'", "write property=VALUE, without spaces around =",
      "update dogs.realm Dog --all --set name=Max"),
    Row(
      "update dogs.realm Dog --all --set name==Max", "write name=Max",
      "update dogs.realm Dog --all --set name=Max"),
    Row("query dogs.realm Dog count(*)", "to count objects, use --count", "query dogs.realm Dog --count"),
    Row("query dogs.realm Dog TRUE", "write TRUEPREDICATE", "query dogs.realm Dog TRUEPREDICATE"),
    Row(
      "$ realmctl query dogs.realm Dog --columns 'name breed'", "separate names with commas",
      "query dogs.realm Dog --columns name,breed"),
    Row("rm dogs.realm person.realm", "'rm' deletes one realm at a time", "rm dogs.realm --yes"),
    Row("recover dogs.realm saved.realm", "write -o saved.realm", "recover dogs.realm -o saved.realm"),
    Row("bundle dogs.realm seed.realm", "write --seed seed.realm", "bundle dogs.realm --seed seed.realm"),
    Row(
      "export dogs.realm all.json", "name the output with -o all.json", "export dogs.realm -o all.json"),
    Row(
      "migrate person.realm years.json --to-version 2", "write --schema years.json",
      "migrate person.realm --schema years.json --to-version 2 --allow-data-loss"),
    Row("migrate person.realm text.yml", "write --plan text.yml", "migrate person.realm --plan text.yml"),
    Row(
      "migrate person.realm --plan text.yml -n", "did you mean '--dry-run'?",
      "migrate person.realm --plan text.yml --dry-run"),
    Row("query dogs.realm Dog -n 1", "did you mean '--limit'?", "query dogs.realm Dog --limit 1"),
    Row(
      "$ realmctl sql 'SELECT 1' dogs.realm",
      "the file comes before the statement: realmctl sql dogs.realm 'SELECT 1'",
      "$ realmctl sql dogs.realm 'SELECT 1'"),
    Row(
      "$ realmctl sql dogs.realm '.schema Cat'", "'.tables' lists the tables", "sql dogs.realm .tables"),
    Row(
      "$ realmctl sql dogs.realm 'PRAGMA table_info(Dog)'", "for the columns, write '.schema TABLE'",
      "$ realmctl sql dogs.realm '.schema Dog'"),
    Row(
      "$ realmctl sql dogs.realm 'SELECT * FROM Dog WHERE name = Rex'", "put text in quotes: 'Rex'",
      #"$ realmctl sql dogs.realm "SELECT * FROM Dog WHERE name = 'Rex'""#),
    Row(
      "$ realmctl sql dogs.realm \"ATTACH 'other.db' AS other\"", "'export --format sqlite' makes a database",
      "export dogs.realm -o dogs.sqlite"),
    Row(
      "$ realmctl export dogs.realm --where 'name == \"Rex\"'", "with --only Person, the query is enough",
      "$ realmctl export dogs.realm --where 'Dog:name == \"Rex\"'",
      "$ realmctl export dogs.realm --only Dog --where 'Dog:name == \"Rex\"'"),
    Row(
      "$ realmctl query dogs.realm Dog ''", "the query is empty; for all objects, omit it",
      "query dogs.realm Dog TRUEPREDICATE"),
    Row(
      "$ realmctl query dogs.realm Dog 'name == $1' --arg Rex", "the first value is that of $0",
      "$ realmctl query dogs.realm Dog 'name == $0' --arg Rex"),
    Row(
      "$ realmctl query dogs.realm Dog 'name == \"Rex\"' --arg Rex --strict", "write $0 in the query",
      "$ realmctl query dogs.realm Dog 'name == $0' --arg Rex --strict"),
    Row(
      "$ realmctl query person.realm Person 'age > $0' --arg x", "give a number, as in --arg 7",
      "$ realmctl query person.realm Person 'age > $0' --arg 7"),
    Row(
      "$ realmctl query dogs.realm Dog 'dateOfBirth > $0' --arg yesterday",
      "give a date, as in --arg 2024-12-31T23:59:59Z",
      "$ realmctl query dogs.realm Dog 'dateOfBirth > $0' --arg 2024-12-31T23:59:59Z"),
    Row(
      "query dogs.realm Dog _id==$0 --arg 650000000000000000000000",
      "as in --arg 'oid(650000000000000000000000)'",
      "query dogs.realm Dog _id==$0 --arg oid(650000000000000000000000)"),
    Row(
      "$ realmctl query dogs.realm Dog 'dateOfBirth > $0' --arg '2018-01-01 00:00:00Z'",
      "as in --arg 2018-01-01T00:00:00Z",
      "$ realmctl query dogs.realm Dog 'dateOfBirth > $0' --arg 2018-01-01T00:00:00Z"),
    Row(
      "$ realmctl query dogs.realm Dog '_id == $0' --arg x", "as in --arg 'oid(507f1f77bcf86cd799439011)'",
      "$ realmctl query dogs.realm Dog '_id == $0' --arg 'oid(507f1f77bcf86cd799439011)'"),
    Row(
      "migrate person.realm --plan years.json", "a schema file, not a plan; give it to --schema",
      "migrate person.realm --schema years.json --to-version 2 --allow-data-loss"),
    Row(
      "query Dog dogs.realm|3", "the file comes before the class: realmctl query dogs.realm Dog",
      "query dogs.realm Dog"),
    Row(
      "query dogs.realm Dog name==$0 --arg 1", "put text that looks like a number in quotes",
      #"query dogs.realm Dog name==$0 --arg "1""#),
    Row(
      "compact dogs.realm --if free>10% --dry-run", "such as free > total / 10",
      "$ realmctl compact dogs.realm --if 'free > total / 10' --dry-run"),
    Row("help help|0", "explain a topic", "help plan"),
    Row("open cats.json|2", "it is a text file; check the path", "open dogs.realm"),
    Row(
      "schema dump dogs.realm -o model.rs|0", "choose the format with --format",
      "schema dump dogs.realm --format dart -o model.dart"),
    Row(
      "schema dump dogs.realm --format swift -o model.kt|0", "use another name, or --format kotlin",
      "schema dump dogs.realm --format kotlin -o model2.kt"),
    Row(
      "plan check keys.yml", "unknown key 'zzz'; the keys are: class, name, lossy", "plan check accepted.yml"),
    Row("plan check quote.yml", "2:7: a quote is not closed; close it", "plan check accepted.yml"),
    Row("plan check tab.yml", "the indentation has a tab; indent with spaces", "plan check accepted.yml"),
    Row("plan check colon.yml", "unexpected ':'; check the indentation", "plan check accepted.yml"),
    Row("plan check bracket.yml", "the list that begins with '[' is not closed", "plan check accepted.yml"),
    Row(
      "help nothing-like-it", "The topics are: rql, plan, cookbook, schema, redaction, json, sqlite", "help json",
      "help sqlite"),
    Row("version", "did you mean 'realmctl --version'?", "--version"),
    Row("-v", "did you mean '--version'?", "--version"),
    Row("-v open dogs.realm", "options follow the command: realmctl open -v", "open -v dogs.realm"),
    Row("--json open dogs.realm", "options follow the command: realmctl open --json", "open --json dogs.realm"),
    Row("export dogs.realm --format xcsv", "did you mean 'csv'?", "export dogs.realm --format csv --only Dog"),
    Row("export dogs.realm --color none", "--color takes auto, always or never", "export dogs.realm --color never"),
    Row(
      "write-copy dogs.realm some.realm --file-format 19", "--file-format takes 10, 11, 20, 22, 23 or 24",
      "write-copy dogs.realm some.realm --file-format 24"),
    Row(
      "compact secret.realm --key-file key --decrypt", "--decrypt needs -o",
      "compact secret.realm --key-file key --decrypt -o open.realm"),
    Row(
      "import dogs.realm cats.json --no-backup|7", "use --create-classes to create it",
      "import dogs.realm cats.json --no-backup --create-classes"),
    Row(
      "import dogs.realm toys.ndjson --class Tyo --no-backup|3",
      "did you mean 'Toy'? Use --create-classes to create 'Tyo'",
      "import dogs.realm toys.ndjson --class Toy --no-backup"),
    Row(
      "import dogs.realm toys.ndjson --class Cat --no-backup|3", "use --create-classes to create 'Cat'",
      "import dogs.realm toys.ndjson --class Cat --no-backup --create-classes"),
    Row(
      "insert dogs.realm Dog _id=650000000000000000000099 name=x favoriteToy=77 --no-backup|7",
      "'favoriteToy' takes the primary key of an object of class 'Toy', a uuid",
      "insert dogs.realm Dog _id=650000000000000000000099 name=x --no-backup "
        + "favoriteToy=01234567-89ab-cdef-0123-456789abcdef"),
    Row(
      "plan check below.yml person.realm", "add a step above version 2 to the plan",
      after: "realmctl migrate person.realm --rename Person.age=years --to-version 2",
      "plan check above.yml person.realm"),
    Row(
      "migrate person.realm --plan below.yml", "add a step above version 2 to the plan",
      after: "realmctl migrate person.realm --rename Person.age=years --to-version 2",
      "migrate person.realm --plan above.yml"),
    Row(
      "plan check removal.yml --strict|1", "add 'lossy: ok' to accept that", "plan check accepted.yml --strict"),
    Row(
      "plan check person.yml --strict|1", "did you mean 'string'?", "plan check corrected.yml --strict"),
    Row(
      "plan check function.yml", "unknown function 'uper' (character 1 of \"uper(lastName)\"); did you mean 'upper'?",
      "plan check corrected-function.yml"),
  ]

  /// Plans and data for these rows.
  static let habitFiles: [String: String] = [
    "cats.json": #"{"Cat":[{"name":"Mia"}]}"#,
    "below.yml": plan(to: 1, "add_property: { class: Person, name: note, type: \"string?\" }"),
    "keys.yml": plan(to: 2, "remove_property: { class: Person, name: age, zzz: 1 }"),
    "quote.yml": "plan: 1\nname: \"people\nsteps: []\n",
    "tab.yml": "plan: 1\nsteps:\n\t- to: 2\n",
    "colon.yml": "plan: 1\nname: a: b\n",
    "bracket.yml": "plan: 1\nsteps: [1, 2\nname: x\n",
    "above.yml": plan(to: 3, "add_property: { class: Person, name: note, type: \"string?\" }"),
    "removal.yml": plan(to: 2, "remove_property: { class: Person, name: age }"),
    "accepted.yml": plan(to: 2, "remove_property: { class: Person, name: age, lossy: ok }"),
    "person.yml": plan(to: 2, "add_property: { class: Person, name: note, type: strng }"),
    "corrected.yml": plan(to: 2, "add_property: { class: Person, name: note, type: string }"),
    "function.yml": plan(to: 2, "set: { class: Person, values: { lastName: { expr: \"uper(lastName)\" } } }"),
    "corrected-function.yml": plan(
      to: 2, "set: { class: Person, values: { lastName: { expr: \"upper(lastName)\" } } }"),
  ]

  private static func plan(to version: Int, _ operation: String) -> String {
    "plan: 1\nsteps:\n  - to: \(version)\n    do:\n      - \(operation)\n"
  }
}
