// Made from Docs by 'make man'. Do not edit.

/// What `realmctl help` prints of topics that are not commands.
enum Chapters {
  static let all: [(name: String, text: String)] = [
    (
      "rql",
      ##"""
      RQL is the query language of the Realm SDKs: the language of Realm Studio's
      query bar, of filtered() in JavaScript, query() in Kotlin and Dart, Filter()
      in .NET and rawPredicate() in Java. (Swift uses NSPredicate instead, which is
      similar.) realmctl takes it in 'query', 'summarize', 'update', 'delete',
      'bundle --expect', every --where, the filters of 'browse', and the conditions
      of migration plans and redaction rules. A query is a predicate that may be
      followed by SORT, DISTINCT and LIMIT; these may also be used without a
      predicate, for all objects. The class is named outside the query.

      The examples use the sample realm dogs.realm, which 'make install' copies to
      share/doc/realmctl.

          $ realmctl query dogs.realm Dog \
          > 'name BEGINSWITH "L" AND breed == null' \
          > --columns name,dateOfBirth --format table
          name    dateOfBirth
          Lassie  2018-01-30T02:40:00.123456789Z
          Laika   2018-08-18T02:40:00.123456789Z
          (2 objects)

      COMPARING

        == =            both sides are equal
        != <>           they differ; null differs from every value
        < <= > >=       the left side is less or greater; also written =< and =>
        BETWEEN {a, b}  the value is a, b or between them
        IN {a, b, c}    the value is one of these
        BEGINSWITH ENDSWITH CONTAINS
                        the text or data on the left begins with, ends with or
                        contains the right side
        LIKE            the whole text matches a pattern: * is any text, ? one
                        character
        TEXT            the text contains all these words, in any order; needs a
                        full-text index. -word excludes a word, word* is any word
                        with this beginning
        GEOWITHIN       the point on the left lies in the area on the right; the
                        left side is an embedded object with GeoJSON: type "Point"
                        and coordinates

      ==[c], !=[c], CONTAINS[c], LIKE[c] and so on ignore the case of the letters A
      to Z and À to Þ, but not of others. Keywords may be written in upper or lower
      case, and either side may be a property: 25 < age, name CONTAINS nick.

      Combine comparisons with AND (&&), OR (||) and NOT (!). AND binds tighter than
      OR; use parentheses for another order. NOT applies to the comparison or the
      parentheses that follow it. TRUEPREDICATE is true of every object,
      FALSEPREDICATE of none.

      VALUES

        int            25, -1, 0x19
        float, double  1.5, .5, 1e3, inf, -inf, nan
        decimal128     any number; compared with all its digits
        bool           true, false
        string         "text" or 'text', with the escapes of JSON, such as \", \\,
                       \n and \u00e9, and with \' and \0
        date           2001-02-03@04:05:06, 2001-02-03T04:05:06.5Z, 2001-02-03; UTC
                       unless it names another offset
        date, exact    T981173106:500000000, seconds since 1970 and nanoseconds
        data           binary("abc"), binary(B64"YWJj")
        objectId       oid(507f1f77bcf86cd799439011)
        uuid           uuid(3b241101-e2bb-4255-8caf-4136c566a962)
        object         obj("Person", 1): the class and its primary key
        null           null, nil
        list           {1, 2, 3}
        area           geoBox([9.1, 48.6], [9.3, 48.8]): two corners;
                       geoCircle([9.2, 48.7], 0.001): center and radius in radians;
                       geoPolygon({[0, 0], [1, 0], [1, 1], [0, 0]}). Longitude comes
                       first; a negative number needs a decimal point: -122.0
        argument       $0, $1 and so on: the values of --arg, in order

      Arguments avoid quoting in scripts. --arg takes a value as above; anything
      else is text. --args takes a JSON array.

          $ realmctl query dogs.realm Dog 'name IN {$0, $1}' \
          > --arg Rex --arg Fido --count
          2

      A number beyond the range of its type is an error: 1e400, and 1e40 for a
      float. Numbers of different types compare by value: 7 == 7.0. Nothing equals
      the constant nan, not even in IN {nan}. A number may also be written as a
      string: age == "58". A mixed property can be compared with any value, and
      matches only values of that kind. Other types can be compared only with their
      own; any other comparison is an error that names both types.

      NULL

      p == null finds objects without a value, p != 25 also finds them, and p < 25
      does not. A path through a link that is null is null.

      Strings are the exception: if a property of the class itself is compared with
      a constant, null comes before all strings, so nick < "B" also finds objects
      without a nick. Through a link (boss.nick < "B") and between two properties
      (nick < name), null does not match.

      KEY PATHS

        city.name                   the property name of the object that city links
                                    to
        dogs.name                   the names of all dogs in the list; true if one
                                    of them matches
        dogs[0].name                an element of a list by its position; also
                                    [FIRST] and [LAST]
        attrs.color, attrs["color"]
                                    the value of a key in a dictionary
        attrs.@keys, attrs.@values  all keys, all values
        misc[*]                     all elements of a list or dictionary in a mixed
                                    property
        tags.length                 the length in bytes of each string in a list
        @links.Person.dogs          the people whose dogs link to this object
        @links.@count               the number of links to this object, from any
                                    class
        `any` == 7                  a property whose name is a keyword
        _key == 2, city._key IN {0, 1}
                                    the object key, as 'export' writes it: _key, or
                                    __key if the class has a property _key. SDKs do
                                    not have it

      COLLECTIONS

        ANY dogs.age > 2          at least one element matches; SOME, or no keyword
                                  at all, means the same
        ALL dogs.age > 2          every element matches; true of an empty list
        NONE dogs.age > 2         no element matches; true of an empty list
        "red" IN tags             the list contains the value
        ANY tags IN {"red", "blue"}
                                  the list contains one of the values
        tags == {"red", "green"}  the list is exactly this, in this order; IN
                                  without ANY means the same
        dogs.@count > 1           number of elements; of text and data, number of
                                  bytes; of a link, 1 or 0. @size is the same
        dogs.@max.age @min @sum @avg
                                  over a property of the elements; of a list of
                                  numbers, without a property
        misc.@type == "string"    the type of a mixed value

      A path can go through several lists (dogs.nums). ALL and NONE then look at one
      list at a time, and one list is enough: ALL dogs.nums >= 0 is true of a person
      if all numbers of at least one dog match, if a dog has no numbers, or if the
      person has no dogs. ANY, ALL and NONE have no effect on numbers of elements
      such as tags.@count.

      The @keys of a dictionary to which no entry was ever added are null.

      Two conditions on one list may be met by different elements: Alice matches ANY
      dogs.name != "Rex" AND ANY dogs.breed == null, but each condition is met by a
      different dog. With SUBQUERY, one element must meet both:

          $ realmctl query dogs.realm Person --columns name --format csv \
          > 'SUBQUERY(dogs, $d, $d.name != "Rex" && $d.breed == null).@count > 0'
          name
          Bob

      ARITHMETIC

      +, -, * and / work on numbers: age * 2 > limit + 1. Dividing an int by an int
      drops the fraction. Put spaces around -: a-1 is a name.

      SORTING AND LIMITING

          $ realmctl query dogs.realm Dog --format csv \
          > --columns favoriteToy.name,name \
          > 'favoriteToy != null SORT(favoriteToy.name ASC, name DESC) LIMIT(3)'
          favoriteToy.name,name
          Ball,Rex
          Ball,Fido
          Rubber duck,Snoopy

      SORT(city.name ASC, age DESC), DISTINCT(name) and LIMIT(10) follow the
      predicate and apply in the order in which they are written. SORT needs ASC or
      DESC for each path; it puts null first, and objects whose path goes through a
      null link last; with DESC, it is the other way around. Without SORT, objects
      come in the order of their object keys. DISTINCT keeps the first object of
      each value, and drops objects whose path goes through a null link. Paths in
      SORT and DISTINCT have a single value: not a collection, and not @count.

      LIMITS

      A query may be at most 1 MiB long, a key path at most 64 hops, and parentheses
      may be nested 200 deep. A path over several lists may reach the same object in
      many ways; a comparison looks at each object only once. If every way counts (a
      list compared element by element, --columns), a path with more than 1,048,576
      ways from one object is an error; if ways are only counted (@sum, SUBQUERY),
      the limit is 1,099,511,627,776.

      A query uses the index of a property without checking it: an object that a
      damaged index has lost is not found. 'realmctl check' shows such damage, and
      'compact --rebuild' fixes it.

      ERRORS

      If a query has a mistake, the exit status is 8, and the mistake is marked:

          $ realmctl query dogs.realm Dog 'name == "Rex" AND nam != "Max"'
          realmctl: dogs.realm: 'Dog' has no property 'nam'; did you mean 'name'?
            name == "Rex" AND nam != "Max"
                              ^~~

      DIFFERENCES FROM THE SDKS

      Queries that an SDK accepts mean the same here, except for these bugs of Realm
      Core. --rql-compat gives Realm Core's answer.

        nick == "a\"b"              Realm Core: compares with the backslash.
                                    realmctl: decodes the escape.
        age == 031                  Realm Core: octal, 25. realmctl: 31.
        age == 99999999999999999999
                                    Realm Core: largest int. realmctl: error.
        age == "25abc"              Realm Core: 25. realmctl: error.
        born == 2023-13-45@99:99:99
                                    Realm Core: another date. realmctl: error.
        name IN[c] {"ann"}          Realm Core: case matters. realmctl: case is
                                    ignored.
        age BETWEEN {24.5, 34.5} on an int
                                    Realm Core: compares bits. realmctl: compares
                                    numbers.
        @links.Person.dogs == obj("Person", 1)
                                    Realm Core: misses objects with several links.
                                    realmctl: finds all.
        boss == obj("Person", 99), no such object
                                    Realm Core: objects without a boss. realmctl:
                                    nothing, and a warning.
        bio TEXT "-do*"             Realm Core: excludes the word do. realmctl:
                                    error.
        height < 0 with NaN         Realm Core: includes NaN. realmctl: does not.
        misc == nan, misc IN {nan}, mixed property
                                    Realm Core: finds NaN. realmctl: nothing, as
                                    height == nan.
        height < 1e400, score < 1e40 on a float
                                    Realm Core: compares with infinity. realmctl:
                                    error.
        marks.@sum beyond the range of int
                                    Realm Core: some other int. realmctl: a decimal.
        marks.@avg of large ints, a sum of doubles in mixed values
                                    Realm Core: loses digits. realmctl: keeps them.
        attrs.color.@size == 3      Realm Core: nothing. realmctl: length of the
                                    text.
        misc == NONE {7} on a mixed property, one value in the list
                                    Realm Core: ignores NONE. realmctl: honors it.
        ALL dogs.name.@count > 3    Realm Core: ignores ALL and NONE. realmctl:
                                    honors them.
        ALL attrs["a"] BETWEEN {1, 5}
                                    Realm Core: loses the key for one limit.
                                    realmctl: honors both limits.
        tags.length BETWEEN {1, 5}  Realm Core: an error. realmctl: honors both
                                    limits.
        ==[c] with data that is not UTF-8
                                    Realm Core: nothing, or everything. realmctl:
                                    compares bytes.
        hub == null, linked object deleted by another device
                                    Realm Core: false. realmctl: true.
        height IN {7}, one int, on a float or double
                                    Realm Core: finds every object. realmctl:
                                    compares numbers.

      Some of Realm Core's answers depend on what it looked at before, on an index,
      or on chance. Nothing can rely on them, so realmctl gives its own answer even
      with --rql-compat:

        attrs.@keys != "a", no entry was ever made
          Realm Core: takes the keys of the object before. realmctl: null.
        misc.@count <= null, value has no length
          Realm Core: takes the length for the object before. realmctl: null.
        tags[7] == "red", list is shorter
          Realm Core: compares with an older value. realmctl: null.
        tags[LAST] == "red" or tags IN {"red"}, list has an index
          Realm Core: any element. realmctl: the last one; exactly this list.
        marks < ALL {1, 2, 3}, list has three elements or more
          Realm Core: forgets some constants for all later objects. realmctl:
          compares with all.
        misc == 7.5 or nan, mixed property has an index
          Realm Core: numbers of the same type only. realmctl: numbers of any type.
        boss == {obj(...), obj(...)}
          Realm Core: misses objects. realmctl: finds all.
        bio TEXT "dogs" or a comparison through two @links
          Realm Core: may fail with KeyNotFound. realmctl: answers.

      In addition, realmctl accepts SORT, DISTINCT and LIMIT without a predicate,
      dates without a time, fractions of a second, Z and offsets, years before 1900,
      LIMIT($0), names in backquotes, and object keys (_key).
      """##
    ),
    (
      "plan",
      ##"""
      A migration plan is a file that says how to migrate a realm from any older
      schema version to a newer one. 'realmctl migrate FILE --plan PLAN' runs it,
      'realmctl plan check PLAN [FILE]' checks it, and 'realmctl plan new FILE
      --schema TARGET --to-version N' drafts one. realmctl-cookbook(7) has recipes
      to copy.

      A plan is YAML (.yml, .yaml) or JSON (.json); with any other extension, a plan
      that begins with { is JSON, and any other is YAML.

          plan: 1
          name: people
          settings:
            on_null: propagate
            on_error: fail
          steps:
            - to: 2
              note: combine the name
              do:
                - add_property:
                    class: Person
                    name: fullName
                    type: string
                    value: { template: "{firstName} {lastName}" }
                - remove_property: { class: Person, name: firstName, lossy: ok }
                - remove_property: { class: Person, name: lastName, lossy: ok }
          expect:
            counts: { Person: { min: 1 } }

      THE PARTS OF A PLAN

        plan      The version of this format: 1.
        name      A name for reports and external programs. Optional.
        settings  'on_null' (propagate, the default, empty or fail) and 'on_error'
                  (fail, the default, null, default or delete) for operations that
                  do not set them. Optional.
        steps     The steps, in ascending order of their versions.
        expect    Checks after the last step: 'schema', a schema file that must be
                  the result (its path is relative to the plan), and 'counts',
                  numbers of objects by class. Optional.

      A step has these keys:

        to    The schema version after the step.
        from  The versions that the step may start from: one (1), a range ("1..3")
              or a list ([1, 3]); any other stops the plan. Optional.
        note  Text for the report. Optional.
        do    The operations, in order.

      Plans are written in a subset of YAML, without anchors, tags, merge keys and
      several documents. Only true, false, null, ~ and numbers are special; 'yes',
      'no' and 'on' are strings. A key that appears twice or is not known is an
      error.

      HOW A PLAN RUNS

      The steps whose version is above the stored one run in one transaction, one
      after another. Each step sees the schema and the objects that the step before
      left. If anything fails, the file stays as it was, byte for byte, and the
      status is 7. A file that is already at the last version is left alone. If the
      last step would still change the schema, because the step was written after
      the file reached that version, the status is 7. It is also 7 for --rename,
      --convert, --set and --delete-class at the stored version, because they did
      not run.

      Within a step, 'old' is an object as it was when the step started, including
      properties that were removed, renamed or overwritten since; 'new' is the
      object as it is now. All values of one operation are computed from the objects
      before that operation. An object that was deleted in the step can still be
      reached through the links of 'old', but not through those of 'new'.

      After each step, primary keys must be unique and the schema must be valid.

      Values are lost when a property is removed that has values other than null and
      the default of its type, when a class with objects is removed, and when
      'move_property' overwrites values or leaves behind values that no link
      reaches. The plan then stops, unless the operation has 'lossy: ok' or
      --allow-data-loss is given. Other operations name what they replace or delete,
      and need no permission. The report lists everything: lost values, overwritten
      values, links to deleted objects, and the numbers of objects deleted and
      created.

      TYPES

      Types are written as in schema files, see realmctl-schema(5): 'int', 'bool',
      'float', 'double', 'string', 'data', 'date', 'decimal128', 'objectId', 'uuid',
      'mixed' or the name of a class, with ? for optional and [], <> or {} for a
      list, a set or a dictionary: "int?", "Dog[]". Quote types with such characters
      in YAML. The longer form is a mapping: { type: list, objectType: Dog }. If
      'index' is the only other key, 'type' may be the short form: { type:
      "string?", index: general }.

      OPERATIONS ON CLASSES

        add_class      Adds a class. Links may point to classes that the same step
                       adds later. Keys: 'name'; 'properties', a mapping of names to
                       types, or to { type, index }; 'embedded: true';
                       'primary_key'; 'if_exists: skip', which accepts a class that
                       exists and is the same.
        remove_class   Removes a class and its objects. Lossy. If properties of
                       other classes link to it, the plan stops. Keys: 'name';
                       'if_linked: clear', which removes these properties instead.
        rename_class   Renames a class. Objects and links stay. Keys: 'from', 'to'.
        embed_class    Makes a class embedded. Each object must have exactly one
                       parent. Keys: 'class'; 'on_orphan: delete', which deletes
                       objects without a parent; 'on_shared: duplicate', which gives
                       each parent a copy; 'drop_primary_key: true', because an
                       embedded class cannot have one.
        unembed_class  Makes an embedded class an ordinary one. Objects and links
                       stay. Keys: 'class'; 'primary_key', the property that becomes
                       its primary key.

      OPERATIONS ON PROPERTIES

        add_property             Adds a property. Existing objects get 'value', or
                                 else 'default', or else null or the default of the
                                 type. Keys: 'class', 'name', 'type'; 'index'
                                 (general or full-text); 'value', with 'on_null' and
                                 'on_error'; 'default'; 'type_default: true', which
                                 turns off the warning about a required property
                                 that gets the default of its type. 'plan new'
                                 writes default: { choose: a value } for a required
                                 property: the plan does not run until that is
                                 replaced.
        remove_property          Removes a property and its values. Lossy. Keys:
                                 'class', 'name'.
        rename_property          Renames a property. Values stay. Keys: 'class',
                                 'from', 'to'; 'optional: true', which also makes it
                                 optional; 'index' (general or full-text), which
                                 also gives it an index.
        convert                  Changes the type of a property, by the rules under
                                 Conversion or by a formula. Name and index stay,
                                 and links to objects survive a converted primary
                                 key. Keys: 'class', 'name'; 'to', the new type;
                                 'using', the formula; 'default', 'on_null' and
                                 'on_error', for values that cannot be converted;
                                 'rounding' (floor, ceil, round or truncate), for
                                 fractions; 'pick' (first or last), for collections
                                 that become single values; 'encoding' (utf-8 or
                                 base64), for strings and data; 'match', the
                                 property that identifies the target of a link to
                                 another class.
        make_optional            Allows null. Keys: 'class', 'name'.
        make_required            No longer allows null. Other values stay. Keys:
                                 'class', 'name'; 'default'; 'on_null' (default,
                                 delete or fail), which says what happens to null.
                                 In a collection, 'delete' removes the elements that
                                 are null.
        set_primary_key          Makes a property the primary key. Keys: 'class';
                                 'name' (null for none); 'on_duplicate: keep_first'
                                 or 'keep_last', which deletes the other objects
                                 with an equal value; 'repoint: true', which points
                                 links to them at the one that stays.
        add_index, remove_index  Adds or removes an index. A primary key keeps its
                                 index. Keys: 'class', 'name'; 'kind' (general, the
                                 default, or full-text).
        move_property            Moves values to another class, along a link in
                                 either direction. The target property is added if
                                 it is missing. If the link is in the class that
                                 loses the property, missing target objects are
                                 created, so their class must not have a primary
                                 key. Lossy if the target property already has
                                 values, or if nothing links to an object with a
                                 value. Keys: 'from' and 'to', both as
                                 Class.property; 'via', the name of the link, a
                                 property of one of the two classes that is a single
                                 link, not a list.

      OPERATIONS ON OBJECTS

        set             Sets properties of objects. Keys: 'class'; 'where';
                        'values', a mapping of properties to values, with 'default',
                        'on_null' and 'on_error'; 'add' and 'remove', elements of
                        collections: one or a list of them, and for a dictionary,
                        the entries to add; 'unset', the key of a dictionary, or a
                        list of keys; removals come before additions; 'expect', the
                        number of objects, or { min: …, max: … }: any other number
                        stops the plan.
        create_objects  Creates objects. Keys: 'class'; 'values', a list of
                        mappings; 'ref', a name for the object, if it is only one.
        delete_objects  Deletes objects. Keys: 'class', 'where'; 'expect', as for
                        'set'.
        assert          Stops the plan if the number of objects is wrong. Keys:
                        'class'; 'where'; 'count', the number, or { min: …, max: …
                        }; 'message'.
        transform       Sends objects to a program, see below. Keys: 'class';
                        'where'; 'command', a list of the program and its arguments;
                        'timeout', in seconds.

      'where' is a condition in RQL, see realmctl-rql(7); it sees the objects before
      the operation. Without it, all objects of the class are meant; only
      'delete_objects' requires it.

      VALUES

      Text, a number, a boolean, null, a list or a mapping is taken as it is, as are
      the typed forms of JSON: { $oid: … }, { $uuid: … }, { $date: … }, {
      $numberDecimal: … }, { $binary: … }. For a link it is the primary key of the
      target. A mapping for a property of embedded objects makes one; its entries
      may be computed.

        { expr: "…" }         The result of a formula.
        { template: "…" }     Text with values inserted; also takes 'on_null'. For a
                              property that is not a string, it is converted.
        { copy: property }    The value of another property.
        { ref: name }         The object that 'create_objects' named.
        { pk: [Class, key] }  The object with this primary key.
        { objects: [Class, 'query'] }
                              The objects that match, in the order of the query; for
                              a single link the first of them.
        { literal: … }        The value as written, with nothing computed.

      TEMPLATES

      A template is text with {path}, {path|fallback} and {=formula}; {{ and }} are
      braces. Numbers are inserted in their shortest form, dates in ISO 8601 in UTC,
      data in Base64, links by the primary key of their target. If an inserted value
      is null, the fallback takes its place. Without a fallback, 'on_null' decides:
      'propagate' makes the whole result null, 'empty' inserts nothing, 'fail' stops
      the plan.

      FORMULAS

      Operators, from lowest to highest precedence: ||, &&, !, comparisons (==, !=,
      <, <=, >, >=), + and -, *, / and %, the sign -. + adds two numbers or joins
      two strings, never one of each. Values are compared as by 'realmctl query':
      numbers of all types by their exact values; NaN equals nothing. The quotient
      of two integers is an integer; with a float or double, the result is a double;
      with a decimal, it is a decimal. % does not take decimals. A result that does
      not fit in 64 bits is an error, and so are a division by zero, a value of more
      than 64 MiB, and a path through links with more than 1,000,000 values.

      A path is the name of a property, optionally with old. or new. before it:
      'age', old.dog.name, tags[0], attributes["color"]. Without either, it is the
      old value if the property and the object existed when the step started,
      otherwise the new one. Through a list of links, a path gives the list of the
      values. Put a name with other characters between backquotes.

      @links.Class.property is the list of the objects of a class that link to the
      object by a property, in the order of their object keys; an object that links
      twice appears twice. It comes at the beginning of a path or after a link:
      count(@links.Person.dogs), @links.Person.dogs[0].name, old.@links.Person.dogs,
      toy.@links.Dog.toy.name. With 'migrate --schema MODEL', an inverse
      relationship of the model ('linkingObjects') can be named instead:
      count(owners).

        str int double decimal bool date data oid uuid
                                   The value converted by the table below.
        concat(a, …)               The values as strings, joined; null counts as
                                   nothing.
        upper(s), lower(s), trim(s)
                                   The text in upper case, in lower case, or without
                                   spaces at both ends.
        substr(s, start, length)   A part of the text, counted in characters from 0.
        replace(s, a, b), split(s, separator), join(list, separator)
                                   The text with 'a' replaced by 'b'; the parts; the
                                   parts joined.
        len(x), count(collection)  Characters, bytes or elements.
        sum(list), avg(list), min(list), max(list)
                                   Null elements are ignored; 'min' and 'max' also
                                   ignore NaN, and take several values as well:
                                   max(0, null) is null.
        round(x, places), floor(x), ceil(x), abs(x)
                                   The number rounded to 'places' decimals (0 unless
                                   given), halves away from zero; rounded down;
                                   rounded up; without its sign.
        if(condition, a, b), coalesce(a, …), is_null(a)
                                   'a' if the condition is true, otherwise 'b'; the
                                   first value that is not null; whether it is null.
        now(), new_uuid(), new_objectid(), key()
                                   The time of the run; new identifiers; the object
                                   key.
        parse_date(s, pattern), format_date(d, pattern)
                                   Patterns consist of yyyy MM dd HH mm ss SSS XXX
                                   and text between apostrophes; without a zone
                                   dates are UTC.

      An operator or function with a null argument gives null, except for 'if',
      'coalesce', 'is_null', 'concat', == and !=. && and || ignore their right side
      if the left one decides: true || null is true, null || true is null. A null
      for a required property is an error unless the operation has 'default'.

      CONVERSION

      What a type can be converted to, and which of its values:

        int            double: up to 2^53 and down to -2^53; float: if exact;
                       decimal128, string: always; bool: 0 and 1; date: seconds
                       since 1970
        double, float  int: whole numbers in range, others with 'rounding'; double:
                       always; float: the nearest, if in range; decimal128, string:
                       the shortest form; bool: 0 and 1; date: seconds since 1970
                       with their fraction
        decimal128     int: whole numbers in range, others with 'rounding'; double,
                       float: the nearest; string: as stored; bool: 0 and 1; date:
                       seconds since 1970
        string         int: digits with an optional sign; double, float: decimal or
                       exponent form, 'inf', 'nan'; decimal128: a decimal number;
                       bool: true, false, 1, 0 in any case; date: ISO 8601 with a
                       zone, or a day, which starts at midnight UTC; objectId, uuid:
                       their text; data: UTF-8, or Base64 with 'encoding: base64'
        bool           int, double, float, decimal128: 1 and 0; string: true and
                       false
        date           int: whole seconds, others with 'rounding'; decimal128:
                       seconds since 1970; double, float: the nearest to these;
                       string: ISO 8601 in UTC
        objectId       string: hexadecimal; date: its time
        uuid           string: the usual form
        data           string: if it is UTF-8, or Base64 with 'encoding: base64'
        mixed          every type, as far as the stored value can be converted
        every type     mixed
        single value   list or set: one element, none for null
        list           set: duplicates are dropped and counted
        set            list: in the order of the set
        list or set    single value: the only element; with several, 'pick: first'
                       or 'pick: last'; an empty one is null
        collection     collection of the same kind: each element by this table
        link           link to another class: the object with an equal primary key,
                       or an equal 'match' property; other types: the primary key
        string, int, objectId, uuid
                       link: the object with this primary key, or with this value of
                       the 'match' property

      Nothing else can be converted. 'on_error' says what happens to a value that
      cannot be converted: 'fail' stops the plan and names up to 20 of them, null
      and 'default' replace the value, and 'delete' deletes the object. In a
      collection, null and a 'default' that is a single value replace the element; a
      'default' that is a collection replaces the whole collection. 'on_null' says
      what happens to null, also as an element: 'propagate' keeps it if the new type
      is optional and otherwise uses 'default', 'default' always uses 'default',
      'fail' stops the plan, and 'delete' deletes the object. A single value that is
      null becomes an empty list or set unless 'on_null' is given.

      EXTERNAL PROGRAMS

      'transform' sends objects to a program and applies the program's answers. It
      needs --allow-exec on the command line. The program is started without a
      shell; it shares realmctl's standard error.

          {"type":"header","plan":"users","step":3,"class":"User","oldVersion":2}
          {"type":"object","key":0,"old":{"first":"John"},"new":{"fullName":""}}
          {"type":"end"}

      The program reads one JSON object per line, with values in the form of 'export
      --format typed', and writes answers, one per line, in any order and at any
      time. Its values may have the same form:

          {"key":0,"set":{"fullName":"John Doe"}}
          {"key":7,"delete":true}
          {"create":"Dog","ref":"d1","value":{"name":"Rex"}}
          {"key":0,"append":{"dogs":[{"$ref":"d1"}]}}
          {"log":"a warning to print"}

      An object without an answer stays as it is. An unknown key or property, a
      value of another type, a status other than 0, or a run of more than 'timeout'
      seconds (600 unless given, at most 86,400) stops the plan. The program and
      everything it started end when realmctl is interrupted.
      """##
    ),
    (
      "cookbook",
      ##"""
      Recipes for the migrations that apps need most. Each shows a schema, some
      objects, a plan, and the objects after the plan has run. To use one, save its
      plan as plan.yml with your own names, and try it without writing anything:

          realmctl migrate app.realm --plan plan.yml --dry-run --show 3

      Then run the same command without --dry-run; it keeps a backup next to the
      file. realmctl-plan(5) describes every operation.

      ADD A PROPERTY

      An optional property starts as null, a required one with 'default'. Without
      it, the plan runs with a warning and uses the default of the type, such as 0.

      Schema:

          [{"name":"Person","properties":{
             "firstName":"string","lastName":"string","age":"int"}}]

      Objects before:

          {"Person":[
             {"firstName":"John","lastName":"Doe","age":42},
             {"firstName":"Jane","lastName":"Doe","age":43}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - add_property: { class: Person, name: email, type: "string?" }
                - add_property:
                    class: Person
                    name: country
                    type: string
                    default: ""

      Objects after:

          {"Person":[
             {"firstName":"John","lastName":"Doe","age":42,
              "email":null,"country":""},
             {"firstName":"Jane","lastName":"Doe","age":43,
              "email":null,"country":""}]}

      REMOVE A PROPERTY

      Its values are lost; 'lossy: ok' says that this is intended.

      Schema:

          [{"name":"Person","properties":{
             "firstName":"string","lastName":"string","age":"int"}}]

      Objects before:

          {"Person":[
             {"firstName":"John","lastName":"Doe","age":42},
             {"firstName":"Jane","lastName":"Doe","age":43}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - remove_property: { class: Person, name: age, lossy: ok }

      Objects after:

          {"Person":[
             {"firstName":"John","lastName":"Doe"},
             {"firstName":"Jane","lastName":"Doe"}]}

      RENAME A PROPERTY OR A CLASS

      Values, objects and links stay.

      Schema:

          [{"name":"Person","properties":{
             "firstName":"string","lastName":"string","age":"int"}}]

      Objects before:

          {"Person":[
             {"firstName":"John","lastName":"Doe","age":42},
             {"firstName":"Jane","lastName":"Doe","age":43}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - rename_property:
                    class: Person
                    from: age
                    to: yearsSinceBirth
                - rename_class: { from: Person, to: Customer }

      Objects after:

          {"Customer":[
             {"firstName":"John","lastName":"Doe","yearsSinceBirth":42},
             {"firstName":"Jane","lastName":"Doe","yearsSinceBirth":43}]}

      COMBINE PROPERTIES, THEN CHANGE A TYPE

      A realm of version 1 goes through both steps, one of version 2 only through
      the second.

      Schema:

          [{"name":"Person","properties":{
             "firstName":"string","lastName":"string","age":"int"}}]

      Objects before:

          {"Person":[
             {"firstName":"John","lastName":"Doe","age":42},
             {"firstName":"Jane","lastName":"Doe","age":43}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - add_property:
                    class: Person
                    name: fullName
                    type: string
                    value: { template: "{firstName} {lastName}" }
                - remove_property: { class: Person, name: firstName, lossy: ok }
                - remove_property: { class: Person, name: lastName, lossy: ok }
            - to: 3
              do:
                - convert: { class: Person, name: age, to: string }

      Objects after:

          {"Person":[
             {"age":"42","fullName":"John Doe"},
             {"age":"43","fullName":"Jane Doe"}]}

      SPLIT A STRING INTO TWO PROPERTIES

      'split' gives a list. If the second part is missing, it becomes an empty
      string.

      Schema:

          [{"name":"Person","properties":{"name":"string"}}]

      Objects before:

          {"Person":[{"name":"John Doe"},{"name":"Plato"}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - add_property:
                    class: Person
                    name: parts
                    type: "string[]"
                    value: { expr: "split(name, ' ')" }
                - add_property:
                    class: Person
                    name: firstName
                    type: string
                    value: { expr: "parts[0]" }
                - add_property:
                    class: Person
                    name: lastName
                    type: string
                    value: { expr: "coalesce(parts[1], '')" }
                - remove_property: { class: Person, name: parts, lossy: ok }
                - remove_property: { class: Person, name: name, lossy: ok }

      Objects after:

          {"Person":[
             {"firstName":"John","lastName":"Doe"},
             {"firstName":"Plato","lastName":""}]}

      AN ENUM FROM NUMBERS TO NAMES

      A number without a name stops the plan, because the property is required.

      Schema:

          [{"name":"Pet","properties":{"kind":"int"}}]

      Objects before:

          {"Pet":[{"kind":0},{"kind":1},{"kind":2}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - convert:
                    class: Pet
                    name: kind
                    to: string
                    using: >-
                      if(kind == 0, 'dog', if(kind == 1, 'cat',
                      if(kind == 2, 'bird', null)))

      Objects after:

          {"Pet":[{"kind":"dog"},{"kind":"cat"},{"kind":"bird"}]}

      DATES FROM STRINGS

      Dates in ISO 8601 need no formula; other formats need a pattern.

      Schema:

          [{"name":"Event","properties":{"start":"string","end":"string"}}]

      Objects before:

          {"Event":[
             {"start":"2024-03-01T09:30:00+01:00","end":"01.03.2024 17:00"}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - convert: { class: Event, name: start, to: date }
                - convert:
                    class: Event
                    name: end
                    to: date
                    using: "parse_date(end, 'dd.MM.yyyy HH:mm')"

      Objects after:

          {"Event":[
             {"start":"2024-03-01T08:30:00Z","end":"2024-03-01T17:00:00Z"}]}

      MAKE A PROPERTY REQUIRED

      An app's automatic migration would replace all values with the default of the
      type; this keeps those that are not null.

      Schema:

          [{"name":"Person","properties":{"name":"string?"}}]

      Objects before:

          {"Person":[{"name":"Ann"},{"name":null}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - make_required: { class: Person, name: name, default: unknown }

      Objects after:

          {"Person":[{"name":"Ann"},{"name":"unknown"}]}

      A NEW PRIMARY KEY

      The values must be unique at the end of the step. Links are not affected.

      Schema:

          [{"name":"Dog","primaryKey":"number","properties":{
             "number":"int","name":"string"}},
           {"name":"Person","properties":{"dog":"Dog"}}]

      Objects before:

          {"Dog":[{"number":7,"name":"Rex"},{"number":8,"name":"Fifi"}],
           "Person":[{"dog":8}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - add_property:
                    class: Dog
                    name: id
                    type: string
                    value: { template: "dog-{number}" }
                - set_primary_key: { class: Dog, name: id }

      Objects after:

          {"Dog":[
             {"number":7,"name":"Rex","id":"dog-7"},
             {"number":8,"name":"Fifi","id":"dog-8"}],
           "Person":[{"dog":"dog-8"}]}

      ANOTHER TYPE FOR THE PRIMARY KEY

      Links survive, because they do not contain the key.

      Schema:

          [{"name":"Dog","primaryKey":"id","properties":{"id":"int"}},
           {"name":"Person","properties":{"dogs":"Dog[]"}}]

      Objects before:

          {"Dog":[{"id":1},{"id":2}],"Person":[{"dogs":[2,1]}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do: [ { convert: { class: Dog, name: id, to: string } } ]

      Objects after:

          {"Dog":[{"id":"1"},{"id":"2"}],"Person":[{"dogs":["2","1"]}]}

      MERGE DUPLICATE OBJECTS

      Of each group of duplicates, the first object stays, and links to the others
      then point to it.

      Schema:

          [{"name":"City","properties":{"name":"string"}},
           {"name":"Person","properties":{"name":"string","city":"City"}}]

      Objects before:

          {"City":[
             {"_key":0,"name":"Rome"},
             {"_key":1,"name":"Oslo"},
             {"_key":2,"name":"Rome"}],
           "Person":[
             {"name":"Ann","city":{"_key":2}},
             {"name":"Bob","city":{"_key":1}}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - set_primary_key:
                    class: City
                    name: name
                    on_duplicate: keep_first
                    repoint: true

      Objects after:

          {"City":[{"name":"Rome"},{"name":"Oslo"}],
           "Person":[{"name":"Ann","city":"Rome"},{"name":"Bob","city":"Oslo"}]}

      SPLIT A CLASS IN TWO

      'move_property' creates the missing addresses.

      Schema:

          [{"name":"Person","properties":{
             "name":"string","street":"string","town":"string"}}]

      Objects before:

          {"Person":[{"name":"Ann","street":"Broadway","town":"New York"}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - add_class: { name: Address, properties: { street: string } }
                - add_property: { class: Person, name: address, type: Address }
                - move_property:
                    from: Person.street
                    to: Address.street
                    via: address
                - move_property:
                    from: Person.town
                    to: Address.town
                    via: address

      Objects after:

          {"Person":[{"name":"Ann","address":{"_key":0}}],
           "Address":[{"street":"Broadway","town":"New York"}]}

      MERGE TWO CLASSES

      The values of an address that no person links to would be lost; here, every
      address is linked.

      Schema:

          [{"name":"Address","properties":{"street":"string"}},
           {"name":"Person","properties":{"name":"string","address":"Address"}}]

      Objects before:

          {"Address":[{"_key":0,"street":"Broadway"}],
           "Person":[{"name":"Ann","address":{"_key":0}}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - move_property:
                    from: Address.street
                    to: Person.street
                    via: address
                - remove_property: { class: Person, name: address, lossy: ok }
                - remove_class: { name: Address, lossy: ok }

      Objects after:

          {"Person":[{"name":"Ann","street":"Broadway"}]}

      TO EMBEDDED OBJECTS

      Each object must have exactly one parent. 'on_orphan' and 'on_shared' say what
      happens to objects that have none or several.

      Schema:

          [{"name":"Address","properties":{"street":"string"}},
           {"name":"Person","properties":{"name":"string","address":"Address"}}]

      Objects before:

          {"Address":[
             {"_key":0,"street":"Broadway"},
             {"_key":1,"street":"Nowhere"}],
           "Person":[
             {"name":"Ann","address":{"_key":0}},
             {"name":"Bob","address":{"_key":0}}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - embed_class:
                    class: Address
                    on_orphan: delete
                    on_shared: duplicate

      Objects after:

          {"Person":[
             {"name":"Ann","address":{"street":"Broadway"}},
             {"name":"Bob","address":{"street":"Broadway"}}]}

      EMBEDDED OBJECTS FROM PROPERTIES

      In 'value', a mapping describes an embedded object; its values may be
      computed.

      Schema:

          [{"name":"Person","properties":{"name":"string","street":"string"}}]

      Objects before:

          {"Person":[{"name":"Ann","street":"Broadway"}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - add_class:
                    name: Address
                    embedded: true
                    properties: { street: string, country: string }
                - add_property:
                    class: Person
                    name: address
                    type: Address
                    value: { street: { copy: street }, country: US }
                - remove_property: { class: Person, name: street, lossy: ok }

      Objects after:

          {"Person":[
             {"name":"Ann","address":{"street":"Broadway","country":"US"}}]}

      EMBEDDED OBJECTS BACK TO A CLASS

      The links stay.

      Schema:

          [{"name":"Address","embedded":true,"properties":{"street":"string"}},
           {"name":"Person","properties":{"address":"Address"}}]

      Objects before:

          {"Person":[{"address":{"street":"Broadway"}}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do: [ { unembed_class: { class: Address } } ]

      Objects after:

          {"Address":[{"street":"Broadway"}],"Person":[{"address":{"_key":0}}]}

      A SUM OVER A LIST OF LINKS

      Formulas follow links; through a list of links, the result is a list.

      Schema:

          [{"name":"Item","properties":{"price":"decimal128"}},
           {"name":"Order","properties":{"items":"Item[]"}}]

      Objects before:

          {"Item":[{"_key":0,"price":"9.90"},{"_key":1,"price":"0.10"}],
           "Order":[{"items":[{"_key":0},{"_key":1},{"_key":1}]},{"items":[]}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - add_property:
                    class: Order
                    name: total
                    type: decimal128
                    value: { expr: "sum(items.price)" }
                - assert:
                    class: Order
                    where: 'total < 0'
                    count: 0
                    message: no order is negative

      Objects after:

          {"Item":[{"price":"9.90"},{"price":"0.10"}],
           "Order":[
             {"items":[{"_key":0},{"_key":1},{"_key":1}],"total":"10.10"},
             {"items":[],"total":"0"}]}

      THE OWNER OF AN OBJECT

      @links.Class.property follows a link backward: it is the list of the objects
      that link to this one.

      Schema:

          [{"name":"Task","properties":{"title":"string"}},
           {"name":"Person","properties":{"name":"string","tasks":"Task[]"}}]

      Objects before:

          {"Task":[{"_key":0,"title":"Sweep"},{"_key":1,"title":"Dust"}],
           "Person":[
             {"name":"Ann","tasks":[{"_key":0}]},
             {"name":"Bo","tasks":[]}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - add_property:
                    class: Task
                    name: owner
                    type: Person
                    value: { expr: "@links.Person.tasks[0]" }
                - add_property:
                    class: Task
                    name: label
                    type: string
                    value:
                      template: "{title} ({@links.Person.tasks[0].name|nobody})"
                - add_property:
                    class: Task
                    name: people
                    type: int
                    value: { expr: "count(@links.Person.tasks)" }

      Objects after:

          {"Task":[
             {"title":"Sweep","owner":{"_key":0},
              "label":"Sweep (Ann)","people":1},
             {"title":"Dust","owner":null,
              "label":"Dust (nobody)","people":0}],
           "Person":[
             {"name":"Ann","tasks":[{"_key":0}]},
             {"name":"Bo","tasks":[]}]}

      DELETE OBJECTS

      'expect' stops the plan if more objects match than you expected.

      Schema:

          [{"name":"Person","properties":{
             "firstName":"string","lastName":"string","age":"int"}}]

      Objects before:

          {"Person":[
             {"firstName":"John","lastName":"Doe","age":42},
             {"firstName":"Jane","lastName":"Doe","age":43}]}

      Plan:

          plan: 1
          steps:
            - to: 2
              do:
                - delete_objects:
                    class: Person
                    where: 'age > 42'
                    expect: { max: 1 }

      Objects after:

          {"Person":[{"firstName":"John","lastName":"Doe","age":42}]}
      """##
    ),
    (
      "schema",
      ##"""
      A schema file describes the classes of a realm. It is JSON, in the form that
      Realm JavaScript (realm-js) takes for 'schema', or an app's model code.
      'realmctl schema dump FILE --format json' writes one; every --schema option
      and 'schema diff' read one. The last part of this page is about JSON data, for
      'import' and 'bundle --data'.

      AN EXAMPLE

          [
            {
              "name": "Person",
              "primaryKey": "id",
              "properties": {
                "id": "int",
                "name": { "type": "string", "indexed": true },
                "born": "date?",
                "emails": "string[]",
                "home": "Address",
                "dogs": "Dog[]"
              }
            },
            {
              "name": "Dog",
              "properties": {
                "name": "string",
                "weight": "double?",
                "owners": { "type": "linkingObjects", "objectType": "Person",
                            "property": "dogs" }
              }
            },
            {
              "name": "Address",
              "embedded": true,
              "properties": { "street": "string", "city": "string?" }
            }
          ]

      Save this as people.json, and these objects as data.json:

          {"Person":[
             {"id":1,"name":"Ann","born":"1990-05-17T00:00:00Z",
              "emails":["ann@example.org"],"home":{"street":"Elm Street 1"},
              "dogs":[{"name":"Rex"}]}]}

      Then this command makes a realm with a person, a dog and an address:

          realmctl bundle --schema people.json --data data.json --seed my.realm

      THE FILE

      The file is an array of classes, or an object with the array in 'classes' and
      optionally a schema version:

          { "schemaVersion": 3, "classes": [ … ] }

      JSON has no comments and no comma after the last element.

      CLASSES

        name        string; required; up to 57 bytes
        properties  object; required; each property's name, up to 63 bytes, and its
                    type
        primaryKey  string; the name of an 'int', 'string', 'objectId' or 'uuid'
                    property with a single value: no list, set or dictionary
        embedded    true, false; objects belong to one parent and are deleted with
                    it; no primary key
        asymmetric  true, false; objects are only sent to a sync server

      TYPES

        int             whole numbers of 64 bits
        bool            true or false
        float, double   floating-point numbers of 32 and 64 bits
        decimal128      decimal numbers of 34 digits
        string          text
        data            bytes
        date            points in time, to the nanosecond
        objectId, uuid  identifiers of 12 and 16 bytes
        mixed           a value of any type; always optional
        a class name    a link to an object of that class, or an embedded object;
                        always optional

      Put ? after a type if it may be null, and [], <> or {} after that for a
      collection:

        "int?"       an optional integer
        "string[]"   a list of strings
        "string?[]"  a list whose elements may be null
        "int<>"      a set of integers
        "double{}"   a dictionary from strings to numbers
        "Dog"        a link to a 'Dog'
        "Dog[]"      a list of links

      A collection itself is never null, and collections do not nest ('mixed' values
      do).

      PROPERTIES AS OBJECTS

      Instead of a short type, a property may be an object:

        type          string; a type from above, or 'object', 'list', 'set',
                      'dictionary', 'linkingObjects'; without ? and brackets
        objectType    string; the class of 'object' and 'linkingObjects', the
                      element type of a collection
        optional      true, false; whether the value, or the elements of the
                      collection, may be null
        indexed       true, false, "full-text"; a search index; "full-text" only for
                      strings
        property      string; for 'linkingObjects': the property of the other class
                      that links here
        mapTo         string; the name in the realm, if it differs from the app's
        presentation  "counter"; for 'int'
        default       a value of the type, as in data; the value of objects that
                      have none: see below

      'linkingObjects' is computed from the links of the other class and not stored.
      With --schema, 'query', 'summarize', 'browse', 'export --where' and the
      formulas of 'migrate --plan' know its name.

      A realm does not store default values either. 'migrate --schema' gives the
      default to existing objects when it adds the property, 'plan new' writes it
      into the plan, and 'bundle --data' and 'import --create' give it to objects
      whose data has no value. All other commands ignore it, and 'open', 'schema
      dump' and 'schema diff' say so: an SDK gives existing objects the default of
      the type, such as 0 or an empty string. Links and embedded objects have no
      defaults.

      MODEL CODE

      A schema file can also be the code of an app's model classes, detected by the
      file extension, or a folder of such files. In CI, 'realmctl schema diff
      app.realm Models.swift' compares the models with a realm.

        .swift       Realm Swift: @Persisted, and the older @objc dynamic
        .kt, .kts    Realm Kotlin, and Realm Java's classes in Kotlin
        .java        Realm Java
        .cs          Realm .NET: 'IRealmObject' and similar interfaces, and the
                     older 'RealmObject'
        .dart        Realm Dart and Flutter: the models, not the generated code
        .h, .m, .mm  Realm Objective-C: interfaces and implementations together
        .js, .mjs, .cjs, .jsx, .ts, .mts, .cts, .tsx
                     Realm JavaScript: every object with 'name' and 'properties'

      Both generated models and handwritten ones can be read:

        Classes     those that derive from the SDK's classes, implement its
                    interfaces or have its annotation, and the names they have in
                    the realm (@objc(Name), '_realmObjectName', @PersistedName,
                    @RealmClass(name = …), [MapTo], @MapTo). In Swift, also those
                    that derive from another model of the file
        Properties  primary keys, indexes, full-text indexes, other names in the
                    realm, inverses; what the SDK ignores is left out (@Ignore,
                    @Ignored, [Ignored], 'transient', 'static', computed properties)
        Types       as written, or as the initial value shows if it ends there: = 0,
                    = "", = Date(), = Kind.big, but not = UUID().uuidString. In
                    Swift, enumerations with a raw type, and 'CustomPersistable',
                    count as the type that is stored
        Null        by the rules of each SDK. C# needs #nullable enable or #nullable
                    disable if a string or data has neither ? nor [Required]

      Everything else in the file, such as other types, strings and comments, is
      ignored. Each part of a model class is understood, or is known to be something
      that the SDK does not store, such as a function. Anything else is an error
      with its line and column; nothing is guessed:

          $ echo 'class Dog: Object { @Persisted var kind: Breed }' > Dog.swift
          $ realmctl schema dump Dog.swift
          realmctl: Dog.swift:1:42: cannot be read as model code in Swift (unknown
          type 'Breed'); realmctl-schema(5) describes the model code that is read

      All classes must be in one file, or in one folder: --schema Models. A folder,
      with the folders in it, has code in one language. These are errors:

      * a link to a class that is not in the file or folder,
      * a model class inside another type, or between #if and #endif,
      * a type that is defined elsewhere: a 'typealias', an enumeration of another
        file,
      * a name that is not written as a plain string,
      * a JavaScript schema that takes parts from elsewhere: ..., Object.assign, a
        variable,
      * an Objective-C class without its implementation, which says what the primary
        key is.

      Model code has no schema version. Default values are not read from it, except
      JavaScript literals.

      Some SDKs cannot express every schema: Realm Swift has no full-text index,
      Realm Dart no 'float', Realm Java no asymmetric classes. 'schema dump' warns
      about each and writes it as a comment, so 'schema diff' shows it as removed.
      The names of inverses are those of the code.

      ERRORS

      An error names the place in the file and what to do. The second example uses
      the sample realm dogs.realm, which 'make install' copies to
      share/doc/realmctl:

          $ echo '[{"name":"Dog","properties":{"name":"text"}}]' > model.json
          $ realmctl bundle --schema model.json --seed my.realm
          realmctl: model.json: property 'Dog.name': unknown type 'text'; did you mean
          'string'? realmctl-schema(5) lists the types
          $ echo '[{"name":"Dog","properties":{"age":"int?[]?"}}]' > model.json
          $ realmctl schema diff dogs.realm model.json
          realmctl: model.json: not a valid schema ([0].properties.age: Invalid type
          declaration for property 'age' on 'Dog': Collections cannot be optional. To
          allow elements of the collection to be optional, use '?' after the element
          type. (Examples: 'int?[]', 'int?{}', and 'int?<>')); fix the schema; see
          realmctl-schema(5)

      DATA

      'import' and 'bundle --data' read JSON in any form that 'export' writes; it is
      detected from the content:

        json          one object with an array per class:
                      {"Person":[{"id":1}],"Dog":[]}
        ndjson        one object per line, or an array of objects; of the class
                      named with --class, or of the only class of the schema
        typed         an array of objects with their class:
                      [{"class":"Person","value":{"id":1}}]
        typed-ndjson  one such object per line: {"class":"Person","value":{"id":1}}

      Each type accepts these values. The forms with $ are those of 'typed' and of
      MongoDB Extended JSON; they keep every type.

        int         42, {"$numberLong":"42"}, {"$numberInt":"42"}
        bool        true, false
        float       1.5, "NaN", "Infinity", "-Infinity", {"$numberDouble":"1.5"},
                    {"$float":"1.5"}
        double      1.5, "NaN", "Infinity", "-Infinity", {"$numberDouble":"1.5"},
                    {"$float":"1.5"}
        decimal128  1.5, "1.5", {"$numberDecimal":"1.5"}
        string      "text"
        data        "AAEC" (Base64), {"$binary":{"base64":"AAEC","subType":"00"}}
        date        "2024-01-31T12:00:00Z", "2024-01-31" (midnight UTC),
                    {"$date":"2024-01-31T12:00:00Z"}, {"$date":1706702400000}
                    (milliseconds since 1970)
        objectId    "640000000000000000000000", {"$oid":"640000000000000000000000"}
        uuid        "01234567-89ab-cdef-0123-456789abcdef",
                    {"$uuid":"01234567-89ab-cdef-0123-456789abcdef"},
                    {"$binary":{"base64":"ASNFZ4mrze8BI0VniavN7w==","subType":"04"}}
        mixed       any of these; a string, number, true or false as it is, other
                    types in their form with $
        link        the primary key of the object, the object itself,
                    {"$link":{"table":"Dog","key":1}}, or, if the class has no
                    primary key, the object key: 0 or {"_key":0}
        embedded    the object itself
        list        an array
        set         an array, or {"$set":[1,2]}
        dictionary  an object, or {"$dictionary":{"a":1}}

      With --coerce, numbers and booleans may also be strings: "42", "true".

      A property that the data does not have becomes null, or, if it may not be
      null, 0, false, an empty string and so on. With --strict, that is an error.

      Special cases

      * An object that begins with "class":"Person","value":{ names its class, and
        {"Person":[{ begins a document of the form 'json', even if the only class
        has properties with these names. 'export' writes such objects with their
        class, also with '--format ndjson --only NAME'.
      * {} alone is a document without classes.
      * A link to an object whose primary key is null is
        {"$link":{"table":"City","key":null}}; null alone is not a link.
      * '_key' in an object without a primary key is its object key, which links may
        name. If the class has a property '_key', the object key is '__key', and so
        on.
      * An embedded object of a class with a property $embedded is always written as
        {"$embedded":{"table":"Address","value":{}}}.
      * Half of a surrogate pair, such as \ud83d alone, is an error, except \udc80
        to \udcff: the bytes 0x80 to 0xFF of text that is not UTF-8.
      """##
    ),
    (
      "redaction",
      ##"""
      'realmctl write-copy FILE DEST --redact RULES' writes a copy to give away.
      Rules say what happens to each value. Values are replaced while the copy is
      built, so nothing that the rules remove is ever written. Classes, objects,
      types, nulls, links and the lengths of lists stay unless a rule says
      otherwise. Internal tables, such as the subscriptions of a synced realm, are
      left out, except the one with the schema version.

          classes:
            Person:
              id: hash                            # primary key; links follow it
              name: { fake: name }
              email: { fake: email }
              bio: null
              birthday: { shift: 30d }
              salary: { noise: 10% }
              notes: { fake: text, where: "isPublic == false" }
              isPublic: keep
              dogs: keep
            Dog:
              name: keep
            Session: drop

      Rules are written in a subset of YAML, without anchors, tags, merge keys and
      several documents, or in JSON.

        classes       the rules, by class and property; required, {} for none
        default       the rule for properties that no rule names: null (which hashes
                      primary keys and keeps embedded objects) or 'keep'. Without
                      it, each property needs a rule
        rename: true  classes and properties become 'Class1', 'property1', … in the
                      order of the realm

      Without 'default', a property that no rule names stops the command (status 7)
      and is listed. So a new property in the model is found by 'redact check',
      before the copy leaves your machine. 'redact new' drafts the rules. It reads
      all objects, and keeps strings only if 50 or more objects have 2 to 12
      different short ones and the name of the property is not that of a text, such
      as 'note', 'message', 'diagnosis' or 'address'.

      'redact check' and 'write-copy --redact' list each property whose strings, or
      keys of dictionaries, stay as they are, with the number of different ones and
      the length of the longest. If 'default: keep' keeps them and no rule names the
      property, there is a warning; with --strict, the status is 1, and no copy is
      written.

      RULES

        keep               the value as it is. For: all.
        null               null; if the property is not optional, 0, false or an
                           empty value. For: all but links to embedded objects.
        { constant: V }    V for every value but null. For: all but links; in a
                           collection, each element.
        mask               each letter, digit or byte becomes a random one: a
                           capital a capital, a digit a digit. Other characters
                           stay, and so do 0.0, infinity and NaN; every other value
                           changes. The length in bytes stays, so Greek letters
                           become accented Latin ones. For: strings, data, numbers.
        hash               a keyed hash of the same type: equal values stay equal;
                           different ints, strings, data and ids stay different. Of
                           a double, float or decimal: a number from 0 to 1; of a
                           date: one from 1970 to 2038. For: all but booleans and
                           links; for a dictionary of links, its keys.
        { fake: name }     an invented 'name', 'city' or 'text' in the script of the
                           value, or an invented 'email' or 'phone'. For: strings.
        { truncate: N }    the first N characters or bytes. For: strings, data.
        { noise: 5 }, { noise: 10% }
                           the number, moved up or down by at most this much, and an
                           int by at least 1. A decimal can get more digits. For:
                           numbers.
        { shift: 30d }     a date up to that much earlier or later; all dates of an
                           object, and of what is embedded in it, are moved by the
                           same time, exact to fractions of a second. With the same
                           key, the dates of objects with the same primary key are
                           shifted by the same time in every file. For: dates.
        { range: 100 }, { range: 1d }
                           rounded down to a multiple of it; dates count from
                           1970-01-01. For: numbers, dates.
        drop, for a class  removes all objects of the class; links to them become
                           null, or are dropped from lists and sets. For: classes.

      Times are a whole number with 'y' (365 days), 'w', 'd', 'h', 'm' or 's'. {
      rule: hash } is the same as 'hash'; in this form, these keys can be added:

        where       a query (RQL): objects that do not match keep their values; not
                    for primary keys
        keys: keep  keeps the keys of dictionaries; otherwise every rule but 'keep'
                    hashes them
        time: keep  with 'rule: hash': object ids keep the time of their creation

      * Null stays null. Only null and 'drop' remove values and objects.
      * Primary keys can be kept or hashed. A hashed int keeps its sign, and still
        fits in a signed integer of 16 or 32 bits, or in 52 bits, if the value did.
        No two keys become equal, and links follow. Their objects also get new
        object keys, because older file formats computed those from the primary
        keys.
      * Collections are redacted element by element. A set whose elements become
        equal gets smaller.
      * Mixed values, and what is nested in them, follow the rule of their property.
        A value whose type the rule does not fit is hashed, and booleans become
        false.
      * Embedded objects follow the rules of their class.
      * The form of a value stays. A hashed or faked e-mail address is still one, at
        a domain nobody can own; a faked phone number keeps its grouping; a UUID
        keeps its version, even as a string.

      THE KEY

      New values are computed from the old ones and a key with HMAC-SHA-256; for
      hashed ints, with a permutation whose key comes from it. Without
      --redact-key-file, the key is random and forgotten. With it, equal values
      become equal values in every copy, so that two copies can be compared or
      joined. Any file of 16 bytes or more will do, and all of its bytes count
      ('openssl rand -out redact.key 32'). Whoever has the key can try names until
      one fits, so keep it as safe as the realm.

      THE PROOF

      The finished copy is read back. Each value is compared with what the rules
      make of the source, indexes and links are checked, and the bytes of the copy,
      decrypted, are searched for every string, data and id of 4 bytes or more that
      was removed; of strings and data longer than 256 bytes, for the first and the
      last 256 bytes. If one is found, the run stops, and nothing is written. Two
      kinds of hits are allowed: parts of values that the rules keep or make, which
      the report counts by property, and short strings that occur by chance in
      numbers, such as a row of object keys.

      --dry-run does all of this, shows up to five objects before and after, and
      counts what each rule changed.

      The search takes up to 210 MiB of memory, however much it looks for. On top of
      that, the copy takes 30 to 50 bytes for each object with a primary key.

      WHAT REDACTION CANNOT DO

      Kept strings give away what was removed elsewhere

      A note that is kept may contain the name that is removed. The search finds a
      name that is written exactly as in the other property, but not one in another
      letter case or spelling, and not a part of it:

          $ echo '{"name":"Zelda","note":"Zelda called"}' > Person.ndjson
          $ realmctl bundle --data Person.ndjson --create-classes \
          > --seed app.realm --quiet
          $ printf 'classes:\n  Person: { name: mask, note: keep }\n' > rules.yml
          $ realmctl write-copy app.realm copy.realm --redact rules.yml | tail -4
          redacted: 1 value by 1 rule; searched for 1 removed string and found 1 in
          what the rules keep or make:
            Person.note (keep): 1
          strings that stay as they are:
            Person.note: 1 different value, the longest of 12 bytes

      Invented names come from short lists. Some of them may be names of other
      people in the realm: they are counted as well, and reveal nothing. A line with
      'others kept' is different: its rule has 'where' or 'keys: keep', so what was
      found can be values that the rule leaves as they are.

      Links still show who knows whom

      Somebody who knows that a user has 3,214 contacts can find that user under any
      name. Remove the class or the links:

            Contact: drop
            Person:
              friends: null

      Counts and dates correlate

      If only one order was placed on July 4 at 03:12, anybody with another list of
      orders can find the same order there. 'shift' moves dates by a different time
      for each object; 'range' makes them coarse:

            Order:
              created: { range: 1d }
              paid: { shift: 2w }

      Rare values identify

      'hash' does not hide how many values are equal: a salary that only one person
      has, or the only person aged 103, is still unique. 'noise' and 'range' help:

            Person:
              salary: { range: 10000 }
              age: { noise: 3 }

      Categories that are kept combine

      City, year of birth and sex single out most people. Keep fewer of them, or
      'truncate' them:

            Person:
              zipCode: { truncate: 2 }

      Sizes stay visible

      'mask' keeps the length of a value, lists keep their number of elements, and a
      class its number of objects. To give away fewer objects, add --where, --only
      and --with-links to the same command.

      Numbers are not searched for

      The bytes of an int, a date or a boolean occur everywhere in a file; comparing
      each value proves that they are replaced.
      """##
    ),
    (
      "json",
      ##"""
      With --json, a command prints its answer as one JSON object on standard
      output; 'query', 'sql' and 'diff' print NDJSON, one object per line. --format
      decides the form of what 'query', 'sql', 'export' and 'schema dump' print of a
      realm, also with --json; .tables and .schema of 'sql' always print text. -q
      suppresses messages, never the answer. A document always has its keys in the
      same order, which is not always that of the tables here. Text is UTF-8;
      control characters, DEL, U+0080 to U+009F, U+2028, U+2029 and characters that
      change the direction of writing are escaped as \uXXXX; bytes of names that are
      not UTF-8 appear as U+FFFD, those of paths as \xE9.

      'version' is 2. It is raised when a key changes its meaning or is removed, not
      when one is added. A key means the same in every document, whatever the
      command.

      There is a JSON Schema (draft 2020-12) for each document; the tests check what
      the commands print against it.

      For several files, 'open', 'check', 'stats', 'hash', 'history', 'schema dump',
      'compact', 'upgrade', 'insert', 'update' and 'delete' print one object per
      line (NDJSON) for each file that could be read, in the order of the arguments;
      errors about the others go to standard error, with their path. The exit status
      is the highest of all.

      KEYS THAT SEVERAL DOCUMENTS HAVE

        version                  integer; 2
        input                    string; the file that was read, as given; - for
                                 standard input
        inputs                   array; instead of 'input', if a command may read
                                 several files at once: both sides of 'schema diff'
                                 and 'diff'; realm, schema and data of 'bundle'
        output                   string or null; the file or folder that was
                                 written, as given; - for standard output; the same
                                 as 'input' for a change in place; null if nothing
                                 was written
        dryRun                   boolean; whether this was a dry run: nothing was
                                 written, and the other keys say what would have
                                 been
        path                     string; a file or folder; in an error see below
        size                     integer or null; bytes on disk: of 'path' in the
                                 same object; of 'output'; of 'input' in a document
                                 without 'output'. null if 'output' is null
        fileFormat               integer or null; file format of 'output', or of
                                 'input' in a document without 'output': 2 to 11 or
                                 20 to 24; 0 for a file that nothing was written to
                                 yet. null if 'output' is null
        encrypted                boolean; whether 'output' is encrypted, or 'input'
                                 in a document without 'output'
        sourceSize               integer; bytes of 'input' on disk, before anything
                                 was written
        sourceFormat             integer; file format of 'input', before anything
                                 was written
        sourceErrors, sourceWarnings
                                 integer or null; errors and warnings that the
                                 checker found in the realm before it was copied. A
                                 rebuild makes new indexes and backlinks, so what is
                                 wrong only in them does not count; links and values
                                 that contradict them do. null with --no-verify and
                                 if nothing was written
        backup                   string, absent without one; the copy of the file as
                                 it was before the change
        verified                 boolean; whether the output was read again and
                                 compared with the input, and the checker found no
                                 error in the input
        method                   string; 'nodes': nodes copied as they are;
                                 'rebuild': rebuilt from the objects
        schemaVersion            integer or null; null if no app has set one
        fromVersion, toVersion   integer or null; schema versions before and after;
                                 null if there is none
        usedBytes, freeBytes     integer or null; null if the list of free space is
                                 damaged
        classes                  array; the classes; each has a 'name'
        name                     string; a class without 'class_'; the full name of
                                 an internal table; a part of a file as 'stats'
                                 shows it
        kind                     string; 'top-level', 'embedded', 'asymmetric',
                                 'internal'
        primaryKey               string, absent without one; name of the property
        class                    string; a class, without 'class_'; in 'stats' also
                                 an internal table
        property                 string; a property of the class or table
        table                    string; a table by its name in the file; that of a
                                 class begins with 'class_'
        objects                  integer or null; number of objects; null if damage
                                 prevents counting them
        links                    integer; number of links
        errors, warnings, notes  integer; number of findings of each severity, not
                                 counting follow-on findings
        following                integer; number of follow-on findings
        message                  string; what is wrong
        needsBump                boolean; whether the change, or one of them, needs
                                 a higher schema version

      OPEN

      'version', 'input', 'size', 'fileFormat', then:

        oldestSDKs       array; objects with the keys sdk and release: the first
                         release of each SDK that opens the file as it is; empty for
                         a file that nothing was written to yet, and for a format
                         that only pre-releases wrote
        form             string; 'normal', 'streaming'
        encrypted        boolean; see above
        history          string; 'none', 'in realm', 'sync client', 'sync server',
                         'out of realm', unknown (N)
        snapshotVersion  integer; number of the commit that made the snapshot; 1 if
                         the file has none
        schemaVersion, usedBytes, freeBytes
                         integer or null; see above
        openElsewhere    array or null; processes that have the realm open; null if
                         the system does not say (anywhere but on Linux)
        versionsInUse    integer or null; number of snapshots that are being read,
                         including the newest, according to the lock file; 0 if no
                         process has the realm open, null if unknown
        classes          array; in the order of the file, objects with 'name',
                         'kind', 'objects', 'primaryKey'; internal tables with
                         --internal only
        internalTables   integer; number of tables that are not classes
        unreadableParts  integer; parts that could not be read: classes, internal
                         tables, the list of free space
        launch           object, with a configuration option only; what opening did
                         to the file

      With --dry-run there are only 'version', 'input' and 'launch'.

      A process:

        process    integer, absent if unknown; its number; unknown for a process of
                   another container
        program    string, absent if unknown; its name as the kernel knows it, at
                   most 15 bytes
        exclusive  boolean; whether this process keeps all others from opening the
                   realm

      'launch':

        dryRun       boolean; see above
        fileChanged  boolean; whether the file was created or changed, or would be
        inMemory     boolean; whether everything happened in memory, and no file was
                     changed
        events       array; what was done to the file, in order: 'copySeed',
                     'create', 'backUp', 'upgradeFormat', 'compact',
                     'deleteAndCreate', 'createSchema', 'change' (at the stored
                     version), 'migrate'; empty if there was nothing to do
        backup       string, absent without one; see above
        compaction   string, absent without --compact-if; 'compact'; 'notWanted':
                     the condition is not true; 'inUse': another process has the
                     realm open
        migration    object, absent if the schema needed no change; the keys of
                     'migrate' from 'fromVersion' on: 'fromVersion', 'toVersion',
                     and these:
        upgradedFrom, steps, ops, op, stepNote, computed, null, defaulted, failed,
          deletedObjects, createdObjects, droppedElements, lost, cause,
          nonNullValues, overwritten, deleted, created, duplicated, schemaDiff,
          compacted, removedValuesRemain, seconds
                     as there

      SCHEMA DUMP

      The schema file that --format json prints, with 'version' and 'input' in
      front; --schema and 'schema diff' read it with and without these. 'schema
      infer' prints the same; 'input' is then the first of the sources.

        schemaVersion         integer; absent if no app has set one
        classes               array; by name, the schema objects of Realm
                              JavaScript: 'name', 'properties', 'embedded',
                              'asymmetric', 'primaryKey'
        properties            object; the properties by name
        embedded, asymmetric  boolean; whether the class is embedded; whether it is
                              asymmetric

      A property:

        name, mapTo  string; its name, and the name in the file, which here is the
                     same
        indexed      boolean or string; 'full-text' for such an index
        type         string; 'list', 'set' or 'dictionary' for a collection
        objectType   string; the class of a link, or the type of the elements of a
                     collection
        optional     boolean; whether null is a value
        property     string; for 'linkingObjects': the property of the other class
                     that links here

      SCHEMA DIFF

      'version', 'inputs' (A, then B), 'fromVersion', 'toVersion', then:

        equal      boolean; whether nothing differs; the exit status is then 0,
                   otherwise 1
        needsBump  boolean; see above
        changes    array; in the order in which the SDKs list them

      A change:

        change            string; Realm Core's name: 'AddTable', 'RemoveTable',
                          'AddProperty', 'RemoveProperty', 'ChangePropertyType',
                          'MakePropertyNullable', 'MakePropertyRequired',
                          'ChangePrimaryKey', 'AddIndex', 'RemoveIndex',
                          'ChangeTableType'
        class             string; see above
        property          string, absent for changes of a class or its primary key;
                          see above
        from, to          string, absent if there is none; types as the SDKs'
                          messages name them, names of primary keys, kinds of class,
                          kinds of index ('general', 'full-text')
        effect            string; 'auto', 'bump', 'lossy', 'conditional': see
                          'realmctl help schema diff'
        needsBump, lossy  boolean; whether the change needs a higher schema version;
                          whether values are lost
        text              string; the line the SDKs print

      CHECK

      'version', 'input', 'fileFormat', 'errors', 'warnings', 'notes', 'following',
      then:

        tablesWithFindings    array; objects with 'table', 'errors', 'warnings',
                              'notes', 'following'
        tables, objects, tombstones, links, indexes, nodes
                              integer; numbers of what was checked
        liveBytes, freeBytes  integer; bytes of the nodes in use, and of free space
        findings              array; the findings that are shown, see --limit

      A finding:

        severity               string; 'error', 'warning', 'note'
        id                     string; the kind of finding, such as node.scheme;
                               stable
        message                string; what is wrong
        part, table, property  string, absent where they do not apply; where it is
        objKey                 integer, absent where it does not apply; object key
        ref                    integer, absent where it does not apply; byte offset
                               of the node
        position               integer, absent where it does not apply; position in
                               the node or list
        number, following      integer, absent in follow-on findings; the number of
                               the finding, and how many others follow from it
        follows                integer, only in follow-on findings (--verbose); the
                               number of the finding it follows from

      QUERY

      With --json, objects, columns, groups and backlinks come as NDJSON, and --keys
      as objects with the key 'objKey'. --count, --exists and --explain print
      'version', 'input', 'class', then:

        count        integer, with --count; number of objects that match
        exists       boolean, with --exists; whether any object matches
        index        string or null, with --explain; the index that is used; null if
                     all objects are looked at
        explanation  array, with --explain; what is done, in order

      SUMMARIZE

      'version', 'input', then:

        summaries           array; for each class 'class', 'summarizedObjects' and
                            'columns'
        class               string; see above
        summarizedObjects   integer; objects that were looked at: those that match
                            the query
        columns             array; for each property, or key path of --columns, an
                            object with the keys below
        columnPath          string; the property or key path
        columnType          string, absent for a key path; in shorthand: 'int',
                            'string?', 'Dog[]', 'int<>' for a set, 'mixed{}' for a
                            dictionary
        nonNull, nulls      integer; number of values that are not null, and of
                            those that are; for collections, of elements
        unreadableValues    integer; values that could not be read, and count
                            nowhere else
        nanValues           integer; values that are NaN; they count in 'nonNull'
                            and 'distinct', and not in 'smallest', 'largest' and
                            'average'
        distinct            integer; number of distinct values, without null
        distinctIsEstimate  boolean; whether 'distinct' is an estimate, within about
                            1 percent
        smallest, largest   any type; as 'export' writes values; null if the values
                            have no order
        average             number, string or null; of ints, floats and doubles a
                            double, of decimals and mixed values a decimal, of dates
                            a date
        sizes               object, absent for single values; 'collections',
                            'emptyCollections', 'fewestElements', 'mostElements',
                            'averageElements'
        collections, emptyCollections
                            integer; number of collections, and of those that are
                            empty
        fewestElements, mostElements
                            integer; elements of the smallest and of the largest
                            collection
        averageElements     number; average number of elements
        typesOfValues       array, absent unless the values are mixed; objects with
                            'typeOfValues' and 'occurrences'
        typeOfValues        string; as RQL's @type names it
        mostFrequent        array; objects with 'frequentValue', 'occurrences' and,
                            for an estimate, 'occursAtLeast'; the most frequent
                            first
        frequentValue       any type; as 'export' writes it; null counts as a value
        occurrences         integer; how often it occurs; an upper limit if there is
                            an 'occursAtLeast'
        occursAtLeast       integer, absent for exact numbers; a lower limit of
                            'occurrences'
        bins                array, absent unless there are numbers or dates; objects
                            with 'binFrom', 'binTo' and 'occurrences'
        binFrom, binTo      number, string; a range of values; 'binTo' itself is in
                            the next one, except for the last
        outsideBins         integer, with 'bins'; values that are in no bin: NaN,
                            infinities, decimals beyond the range of a double, mixed
                            values that are not numbers
        binsAreEstimates    boolean, with 'bins'; whether some values may be counted
                            in a neighboring bin
        unreadableParts     integer; number of parts that could not be read

      SQL

      With --json, rows come as NDJSON, with a key for each column. If two columns
      have the same name, both are written; rename them with AS.

      COMPACT

      On standard output; on standard error if the compacted realm goes to standard
      output. 'version', 'input', 'output', 'dryRun', then:

        needed                    boolean; whether the condition of --if is true;
                                  true without one. If false, nothing was done
        totalBytes, usedBytes, freeBytes
                                  integer; the sizes that the condition used
        sourceFormat, sourceSize  integer; see above
        fileFormat, size          integer or null; see above
        method                    string, absent if nothing was done; see above
        verified                  boolean; see above
        sourceErrors, sourceWarnings
                                  integer or null; see above
        historyKept               boolean or null; true only for a realm of Device
                                  Sync; null if nothing was done
        backup                    string, absent without one; see above

      MIGRATE

      'version', 'input', 'output', 'dryRun', 'backup', then:

        sha256                  string, absent without a backup; of the file as the
                                migration left it; --restore-backups compares it
        fromVersion, toVersion  integer or null; see above
        upgradedFrom            integer, absent without an upgrade; the file format
                                before
        steps                   array; objects with 'toVersion' and 'ops', one for
                                each step that ran; empty if there was nothing to do
        stepNote                string, absent without one; in 'steps': the note of
                                a plan's step
        samples                 array, absent without --show; objects with 'class',
                                'objKey', 'objectBefore' and 'objectAfter'
        objKey, objectBefore, objectAfter
                                integer, string or null; the key of an object, and
                                the object as JSON before and after; null if it did
                                not exist, or no longer exists
        lost                    array; objects with 'class', 'property' (absent for
                                objects without properties), 'cause', 'objects'
                                (with such values) and 'nonNullValues' (how many
                                values were neither null nor the property's default)
        cause                   string; in 'lost': 'removed' (the property is gone
                                or has another type), 'overwritten' (moved values
                                took its place), 'targetDeleted' (links to objects
                                that were deleted; 'nonNullValues' counts links) or
                                'classRemoved' (objects of a removed class without
                                properties)
        overwritten             array; values that operations replaced: objects with
                                'class', 'property' and 'objects' (with an old value
                                that was neither null nor the property's default)
        deleted, created, duplicated
                                object; numbers of objects by class; an object that
                                is deleted and created again counts in both;
                                'duplicated' are the copies in place of objects with
                                several parents
        schemaDiff              array; what was changed, in the SDKs' words
        compacted               boolean; whether the realm was compacted in the same
                                step (--compact)
        removedValuesRemain     boolean; whether removed or overwritten values are
                                still in the file's free space
        sourceErrors, sourceWarnings
                                integer or null; see above
        seconds                 number; how long it took
        nonNullValues           integer; in 'lost', see there

      An element of 'ops':

        ops, op           array, string; 'add_class', 'add_properties',
                          'add_property', 'replace_property', 'make_optional',
                          'make_required', 'add_index', 'remove_index',
                          'clear_primary_key', 'remove_property', 'set_primary_key',
                          'embed_class', 'unembed_class', and the other operations
                          of realmctl-plan(5)
        class, property   string; 'property' is absent if the operation is about a
                          class
        objects           integer; of the class
        null, defaulted   integer; objects that got null, or the type's default
        computed, failed  integer, 0 without a plan; values that were computed or
                          converted, and values that could not be; what was done
                          with the latter is also in the other counts
        deletedObjects, createdObjects, droppedElements
                          integer, absent for none; what an operation of a plan
                          deleted, created or dropped

      With several files there is one document: 'version', 'dryRun', then:

        migratedRealms, unchangedRealms, failedRealms
                        integer; realms that were migrated, that needed nothing, and
                        that were left as they were because of an error
        skippedBackups  array; backups among the files, which were skipped
        reports         array; for each file, the report of one file without
                        'version'; for one that failed, 'input', 'error' and
                        'attempt'
        error           object, absent without one; the error, which standard error
                        also shows; its 'code', 'exit', 'message', 'path', 'detail',
                        'hint', 'line' and 'column' are described below
        attempt         object, absent otherwise; the report of what was done in
                        memory before the error

      With --restore-backups: 'version', 'dryRun', then:

        restores  array; for each realm that the report names with a backup:
                  'input', 'backup', 'restored', 'kept', 'error'
        restored  boolean, absent with an error; whether the backup took the place
                  of the realm, or would; false if the realm is already the same as
                  the backup
        kept      string, absent without one; the backup of what was there before

      PLAN NEW

      'version', 'input', 'fromVersion', 'toVersion', then:

        planText  string; the plan, as YAML

      PLAN CHECK

      'version', 'input' (absent without a realm), then:

        plan                    string; the plan as given; - for standard input
        fromVersion, toVersion  integer or null; the schema version of the realm
                                (absent without a realm), and of the last step
        planSteps               integer; number of steps in the plan
        stepsToRun              integer, absent without a realm; number of steps
                                from the version of the realm to the last one

      Mistakes in a plan are errors on standard error.

      REDACT NEW

      'version', 'input', then:

        rulesText  string; the rules, as YAML

      REDACT CHECK

      'version', 'input', then:

        rulesFile      string; the rules as given; - for standard input
        propertyCount  integer; number of properties in the realm
        mistakes       integer; rules that do not fit the realm; standard error
                       names them
        unnamed        array of strings; properties that no rule names, as
                       Class.property
        keptStrings    array; properties whose strings stay as they are: 'class',
                       'property', 'named', 'distinct', 'distinctIsEstimate',
                       'longestBytes'
        named          boolean; whether a rule names the property; otherwise
                       'default: keep' keeps it
        distinct, distinctIsEstimate
                       as for 'summarize'
        longestBytes   integer; length of the longest string

      Mistakes in the form of the rules are errors on standard error.

      IMPORT

      'version', 'input', 'output', 'dryRun', 'backup', then:

        upgradedFrom    integer, absent without an upgrade; the file format before,
                        as in 'migrate'
        fromVersion, toVersion, schemaDiff
                        as in 'migrate'; only if the import added classes or
                        properties to a realm that existed
        importMode      string; how existing objects were treated: 'insert',
                        'upsert', 'replace', 'skip' or 'delete'
        imported        array; objects with 'class' and the numbers that follow
        read            integer; objects in the sources; the sum of the six numbers
                        that follow
        inserted, updated, unchanged, skipped, deletedObjects, rejected
                        integer; what happened to them
        createdTargets  integer; objects that were created because links name them
        mistakes        integer; number of mistakes in the sources; standard error
                        names them

      INSERT, UPDATE, DELETE

      'version', 'input', 'output', 'dryRun', 'backup', 'class', then:

        upgradedFrom         integer, absent without an upgrade; the file format
                             before, as in 'migrate'
        editedObjects        integer; objects that were inserted, updated or deleted
        deletedEmbedded      integer; embedded objects that were deleted with their
                             parents
        removedLinks         integer; links to deleted objects, now null or removed
        overwrittenValues    integer; values that were replaced
        samples, objKey, objectBefore, objectAfter
                             as for 'migrate', in a dry run
        removedValuesRemain  boolean; as for 'migrate'

      RM

      'version', 'input', 'dryRun', then:

        deletedFiles  array; the realm and the files deleted with it, in order;
                      printed also if an error ended the run after the first of them

      UPGRADE

      'version', 'input', 'output', 'dryRun', 'sourceFormat', 'sourceSize',
      'fileFormat', 'size', 'verified', 'sourceErrors', 'sourceWarnings', 'backup'.

      DOWNGRADE

      'version', 'input', 'output', 'dryRun', 'sourceFormat', 'sourceSize',
      'fileFormat', 'size', 'verified', 'sourceErrors', 'sourceWarnings', 'backup',
      then:

        mapped        array; what --as changed to another type: objects with
                      'class', 'property', 'from', 'to' and 'affected'
        from, to      string; the type before and after; 'embedded' and 'plain' for
                      a class
        formatLosses  array; what the file format cannot store: objects with
                      'unsupported', 'class', 'property' and 'affected'
        unsupported   string; 'class', 'embeddedObjects' (of properties left out),
                      'property', 'nestedCollections' (inside mixed values),
                      'dataLikeStrings' (in sets of mixed values), 'unresolvedLinks'
                      (to objects that are not in the file), 'index'
        property      string; absent if it is about a class
        affected      integer; objects, values or links; 0 for an index

      WRITE-COPY

      On standard output; on standard error if the copy goes to standard output.
      'version', 'input', 'output', 'dryRun', 'size', 'fileFormat', 'encrypted',
      'sourceSize', 'sourceFormat', 'method', 'verified', 'sourceErrors',
      'sourceWarnings', then:

        lostLinks               integer; links to classes or objects that were left
                                out
        losses                  array; objects with 'class', 'property', 'leftOut'
                                and 'links'
        leftOut                 boolean; whether the property itself was left out;
                                otherwise its links became null or, in lists and
                                sets of links, were dropped
        leftOutObjects          integer; objects that --where and --with-links left
                                out, not counting embedded objects
        leftOutEmbeddedObjects  integer; embedded objects that were left out with
                                their parents
        mapped, from, to, formatLosses, unsupported, affected
                                as for 'downgrade'
        redaction               object, with --redact; how values were changed:
                                'redactionRules', 'searched', 'foundStrings',
                                'foundPlaces', 'keptStrings', 'redactedSamples'
        redactionRules          array; the rules that change something: 'class',
                                'property', 'rule', 'ruleObjects', 'redactedValues'
        rule                    string; the rule, as the rules file has it
        ruleObjects, redactedValues
                                integer; number of objects that the rule applies to,
                                and of those whose value changed
        searched                integer; number of distinct removed strings, data
                                and ids that the copy was searched for
        foundStrings            integer; number of those that are part of what the
                                rules keep or make
        foundPlaces             array; where these are: 'class', 'property', 'rule',
                                'foundStrings'; without 'class', in the names of
                                classes and properties
        keptStrings, named, distinct, distinctIsEstimate, longestBytes
                                as for 'redact check', of the objects of the copy
        redactedSamples         array, with --dry-run; up to five objects before and
                                after: 'class', 'redactedProperties'
        redactedProperties      array; objects with 'property', 'sourceValue' and
                                'copyValue'
        sourceValue, copyValue  string; the value in the source and in the copy, as
                                JSON; the beginning of a long one

      BUNDLE

      The manifest, on standard output; on standard error if the seed goes to
      standard output. 'version', 'input' or 'inputs', 'output', 'dryRun', 'size',
      'fileFormat', then:

        oldestSDKs                array; objects with the keys sdk and release: the
                                  first release of each SDK that opens the file as
                                  it is, such as 'Swift' and 10.49.0
        encrypted, schemaVersion  boolean; integer or null; see above
        sha256                    string or null; of the seed's bytes; null in a dry
                                  run
        classes                   array; by name, objects with 'name' and 'objects';
                                  embedded classes included
        imported, read, inserted, updated, unchanged, skipped, deletedObjects,
          rejected, createdTargets
                                  as for 'import'; absent if the seed is a copy, or
                                  was built directly from JSON
        verified                  boolean; see above
        method, sourceErrors, sourceWarnings, lostLinks, losses, leftOut,
          leftOutObjects, leftOutEmbeddedObjects
                                  as for 'write-copy'; absent if the seed was built
                                  without FILE, in format 24
        mapped, from, to, formatLosses, unsupported, affected
                                  as for 'downgrade'

      HASH

      One object per file; for several files, one per line. 'version', 'input',
      then:

        objectKeys  boolean; whether object keys count; false with --no-keys
        hash        string; SHA-256 of the contents, of the realm or of a class: 64
                    hexadecimal digits
        classes     array; by name: objects with 'name', 'objects' and 'hash'.
                    Embedded objects count in the class they belong to

      STATS

      One object per file; for several files, one per line. 'version', 'input',
      'fileFormat', then:

        size             integer; bytes of the file on disk
        parts            array; what the bytes are used for, the largest part first;
                         together exactly 'size'
        propertySizes    array; what each property takes, in the order of the file
        freeBlocks       object; the blocks of free space, those of older snapshots
                         included
        compactedSize    integer; about how many bytes a compacted file would have
        advice           array; the most worthwhile first
        unreadableParts  integer; parts that could not be read; standard error names
                         them, and the exit status is 2

      A part has a 'name', as the table shows it, and 'class' and 'property' if it
      belongs to them:

        bytes  integer; size of the part; in a piece of advice, the bytes that would
               be saved, or are used
        use    string; of the file 'header', 'footer', 'root', 'tableList',
               'freeList', 'history', 'free', 'olderSnapshots', 'newerSnapshot',
               'unaccounted', 'padding' (after the end of the snapshot),
               'encryption'; of a class 'schema', 'objects', 'objectKeys',
               'tombstones', 'backlinks', 'unreadable'; of a property 'values',
               'strings', 'data', 'collections', 'index'

      The size of a property, with 'class', 'property' and the 'objects' of the
      class:

        valueBytes, indexBytes  integer; bytes of the property's values; bytes of
                                its search index
        averageBytes            integer, absent without objects; 'valueBytes'
                                divided by 'objects'
        largestBytes, largestObjKey
                                integer, absent if all values have the same size;
                                size of the largest string, data or collection, and
                                the key of its object
        distinctStrings         integer, absent if strings hardly repeat; number of
                                distinct strings

      Free blocks, with 'freeBytes':

        blockCount, largestBlock, bytesAtEnd
          integer; number of blocks; size of the largest; size of the one at the end
          of the file

      A piece of advice, with 'bytes':

        action  string; 'compact', 'olderSnapshots', 'history', 'largeIndex',
                'mostOfTheFile', 'repeatedStrings'
        reason  string; the line that 'stats' prints

      DIFF

      One object per line. The first line is the schema, the last line is the end;
      with --stat there is nothing between them. All have 'version'. With --against,
      'inputs' of the first line names the same realm twice.

        record                  string; 'schema', 'removed', 'added', 'changed',
                                'end'
        fromVersion, toVersion  integer or null; of 'schema': the schema versions;
                                null also if only some classes are compared
        changes                 array; of 'schema': as in 'schema diff', objects
                                with 'change', 'class', 'property', 'from', 'to',
                                'effect', 'needsBump', 'lossy', 'text'
        key                     any; of an object, with its 'class': the primary
                                key, in the form of 'export --format typed'; absent
                                if objects are matched by object key
        objKey                  integer; the object key, in the newer realm if both
                                have the object
        valueChanges            array; objects with 'property', 'before' and 'after'
        before, after           any; values in the form of 'export --format typed';
                                'before' is absent for 'added', 'after' for
                                'removed'
        equal                   boolean; of 'end': whether nothing is different; the
                                exit status is then 0, otherwise 1
        classes                 array; of 'end': objects with 'name', 'removed',
                                'added', 'changed', 'unchanged'
        removed, added, changed, unchanged
                                integer; numbers of objects

      HISTORY

      'version', 'input', then:

        history               string; kind of the change history, as in 'open'
        historySchemaVersion  integer; version of its layout
        historyLength         integer or null; number of changes in it; null without
                              a history, or if the changes cannot be counted
        syncFileIdent         integer; number of the file on a sync server; 0 for a
                              local one
        snapshots             array; the newest first

      A snapshot, with 'fileFormat', 'schemaVersion' and the 'objects' of all
      classes, embedded ones included:

        snapshotVersion  integer; number of the commit that made it
        state            string; 'live'; 'previous': the header still names it;
                         'inUse': a process reads it, according to the lock file
        topRef           integer or null; byte offset of its root, for --snapshot;
                         null in a file without content
        logicalSize      integer; bytes that its nodes and free space account for
        readers          integer or null; number of processes that read it,
                         according to the lock file; null if unknown
        changeCounts     object or null; since the next older one; null for the
                         oldest, and if one of the two is damaged
        schemaChanges, added, changed, removed
                         integer; changes of the schema; numbers of objects
        damage           string, absent if none is known; why it cannot be read
                         completely

      RECOVER

      'version', 'input', 'output', 'dryRun', 'size', 'encrypted', 'verified', then:

        complete                  boolean; whether everything that belongs to the
                                  live snapshot is in the new realm; the exit status
                                  is then 0, otherwise 1
        uncertain                 boolean; whether more may be missing or wrong than
                                  is counted, because the lists of classes, objects
                                  or values are damaged; also of each class
        policy                    string; which values were saved: 'trusted', 'all'
        live                      boolean; whether the header points to the snapshot
                                  that was used
        snapshotVersion, snapshotFormat
                                  integer or null; version and format of that
                                  snapshot; null if lost
        unknownFormat             integer or null; the file format in the header, if
                                  it is newer than 24 or unknown; the file was read
                                  as format 24
        failedPages               integer; pages of 4096 bytes that cannot be
                                  decrypted or read
        savedObjects              integer; objects in the new realm
        lostObjects               integer or null; objects of the live snapshot that
                                  were not found; null in a class if the number is
                                  unknown
        savedValues, olderValues, doubtfulValues, lostValues
                                  integer; undamaged values; values from an older
                                  snapshot; values that something in the file
                                  contradicts, which are saved only with --policy
                                  all; lost values
        lostLinks                 integer; links to lost objects, which are now null
                                  or left out
        orphanedStrings           integer, with --strings only; strings that belong
                                  to no object
        lostClasses               array; names of classes that could not be saved at
                                  all
        classes                   array; each class and internal table: objects with
                                  'name', 'objects', 'lostObjects', the numbers of
                                  values, 'lostLinks', and these keys
        internal                  boolean; whether it is an internal table
        olderObjects, lastCommitObjects, undeletedObjects
                                  integer; of 'objects': only from an older
                                  snapshot; from the last commit, whose root is
                                  lost; deleted, and saved with --deleted
        objectsWithoutPrimaryKey  integer; saved in a class of their own, because
                                  their primary key is lost, or a newer object has
                                  it
        duplicates                integer; objects of older snapshots that were left
                                  out because a newer object has the same primary
                                  key
        orphans                   integer; embedded objects without a parent, saved
                                  in a class of their own
        byStructure               boolean; whether the schema is lost: properties
                                  and types were determined from the objects, and
                                  the names are invented
        lostProperties            array; names of properties that are not in the new
                                  realm
        unnamedProperties         array; the new names of properties whose names are
                                  lost

      --report FILE is NDJSON, a line for each 'kind', 'class' and 'property', with
      the object keys in 'objKeys' as far as they are known. The kinds are
      value.lost, value.older, value.doubtful, link.lost, object.lost, object.older,
      object.last-commit, object.deleted, object.without-primary-key,
      object.duplicate-primary-key, object.orphan, property.lost, name.lost,
      schema.lost, class.lost, class.uncertain. --strings FILE is NDJSON with
      'byte', the offset of the string in the file, and 'text'.

      OUTPUT TO FILES

      A command that prints data prints nothing else on standard output. With -o, it
      reports what it wrote: 'version', 'input', 'output', then:

        files               array; objects with 'path' and 'size'
        unreadableParts     integer, with 'export', 'query' and 'sql'; number of
                            parts that are missing because they could not be read;
                            standard error names each
        sqlTables           array, with --format sqlite only; the tables, with
                            'sqlTable' and 'rowCount'
        sqlTable, rowCount  string and integer, in 'sqlTables'; name of the table,
                            and its rows
        exactValues         integer, with --format sqlite only; number of values
                            that SQLite cannot store; they are in the table
                            '_realm_values'
        equalToRealm        boolean, with --format sqlite only; whether the database
                            was read back and is equal to the realm
        dryRun              boolean, with --format sqlite only; see above

      ERRORS, WARNINGS, NOTES

      Each is one object on a line of its own on standard error:
      {"version":2,"error":{…}}, with 'warning' or 'note' (most of these only with
      --verbose) instead of 'error'. Of several mistakes in names and values, each
      is an error, followed by one that counts them.

        error, warning, note  object; one of them
        code                  string, absent in notes; the kind of the error, by
                              Realm Core's name if it has one, see below
        exit                  integer, in errors only; the exit status
        message               string; what is wrong
        path                  string, absent if no file is concerned; the file, as
                              given; in words if it is not a file: 'standard input',
                              'standard output', 'environment variable NAME'; the
                              option, such as --type, if the value does not fit the
                              data
        detail                string, absent if there is none; where it is wrong,
                              Realm Core's message, or the reasons if there are
                              several
        hint                  string, absent if there is none; what to do
        line, column          integer, absent without a place; the place of a
                              mistake in the file 'path', or in a query; 'column' in
                              characters

        FileNotFound               3: the file does not exist; 4 for a key file; 2
                                   for the folder of an output
        FilePermissionDenied       2: the file or folder cannot be read or written
                                   by this user
        FileExists                 2: the output already exists; 64 if it is the
                                   input under another name
        FileOperationFailed        2: anything else the operating system refuses,
                                   and a folder, pipe or device instead of a realm;
                                   4 for a key file; 6 if the file changed meanwhile
        OutOfDiskSpace, OutOfMemory
                                   2: there is not enough space on the disk, or not
                                   enough memory
        InvalidDatabase            2: not a realm, or a damaged one; 4 if it may be
                                   the key; 1 with --strict: a damaged source
        InvalidEncryptionKey       4: not a valid key
        UnsupportedFileFormatVersion
                                   5: the file format is newer than this realmctl,
                                   or unknown
        FileFormatUpgradeRequired  5: an older format, and an upgrade was not
                                   allowed
        IncompatibleHistories      2: a realm of Device Sync, or with an unknown
                                   history, cannot be changed
        IncompatibleLockFile       2: something other than a lock file has its name
        InvalidSchemaVersion       7: the schema version is lower than the stored
                                   one, or not higher where it has to be; read-only,
                                   it differs from it
        SchemaMismatch, InvalidSchemaChange
                                   7: changes that need a higher schema version, or
                                   that a read-only realm cannot have
        MigrationFailed            7: a migration that would lose data, make primary
                                   keys equal, or embed objects that do not fit
        IllegalOperation           7 in a migration, 8 in a query: something that
                                   cannot be done
        NoSuchTable                3: a class that was named does not exist
        InvalidInput               64: wrong usage; 7: data that does not fit its
                                   schema, a mistake in a plan or in redaction
                                   rules, or a type that does not exist or is not
                                   needed; 2: a report that names no backups; 3: no
                                   such snapshot, or a class or property that an
                                   import names does not exist; 4: a redaction key
                                   that is too short; 1: another number of objects
                                   than --expect says
        SyntaxError, InvalidQuery, InvalidQueryArg, InvalidSortDescriptor
                                   8: the query is wrong
        InvalidArgument            8 in a query; 64: an option is wrong
        InvalidProperty            8 in a query; 3: a property that an option names
                                   does not exist
        MalformedJson              7: a schema file is not JSON (for data,
                                   'InvalidInput'); 2: the report for 'migrate
                                   --restore-backups' is not JSON
        SchemaValidationFailed     7: not a valid schema, links to classes left out
                                   of a copy would be lost, or the file format
                                   cannot store everything
        NotSupported               7: an output format cannot express something; 2:
                                   more work than --work-limit allows; as a warning,
                                   also that a synced realm becomes a local one
        AlreadyOpen                6: another process has the file open that would
                                   be replaced; as a warning, the file that is read

      An error, here on several lines:

          {"version":2,"error":{
             "code":"FileNotFound","exit":3,
             "message":"no such file or directory","path":"app.realm",
             "hint":"check the path"}}
      """##
    ),
    (
      "sqlite",
      ##"""
      This page describes the SQLite tables that realmctl makes of a realm. They are
      the same in every command that uses them:

        export --format sqlite    writes them to a database
        export --format csv --explode
                                  writes each to a CSV file
        sql                       queries them in the realm itself
        schema dump --format sql  prints their CREATE statements
        hash, diff, import        read them from an exported database

      The examples use the sample realm dogs.realm, which 'make install' copies to
      share/doc/realmctl.

          $ realmctl export dogs.realm -o db.sqlite
          wrote db.sqlite: 61440 bytes (60.0 KiB)
            Dog: 5 rows
            Person: 3 rows
            Person.dogs: 5 rows
            Toy: 2 rows
            _realm_schema: 1 row
            _realm_keys: 10 rows
          verified against the source
          $ realmctl hash dogs.realm db.sqlite
          1aeefb96c376868959dc4815e35c843df2dc81ff157c7f4341aa73d8aedd8094  dogs.realm
          1aeefb96c376868959dc4815e35c843df2dc81ff157c7f4341aa73d8aedd8094  db.sqlite

      TABLES AND COLUMNS

        class                       a table with its name
        primary key                 PRIMARY KEY NOT NULL; one that may be null is
                                    UNIQUE, and '_key' identifies rows
        no primary key              _key INTEGER PRIMARY KEY, the object key
        int, bool                   INTEGER, bool with CHECK (… IN (0, 1))
        float, double               REAL
        string                      TEXT
        data                        BLOB
        date                        TEXT: ISO 8601 in UTC. All values of a column
                                    have the same number of digits of a second, 0,
                                    3, 6 or 9: as many as the column needs. With
                                    --dates unix or --dates unix-ms, INTEGER:
                                    seconds or milliseconds since 1970
        decimal128, objectId, uuid  TEXT
        mixed                       two columns: the value, in a column without a
                                    type, and its type in <name>_type; see below
        link                        the key of the target's row, with an index and
                                    REFERENCES … ON DELETE SET NULL DEFERRABLE
                                    INITIALLY DEFERRED
        embedded class              a table with '_key', to which the parent's
                                    column refers; nothing enforces that an object
                                    has only one parent
        list                        a table Class.property with '_owner',
                                    '_position' (0, 1, 2, …) and '_value'; rows are
                                    stored in that order
        set                         a table with '_owner' and '_value'
        dictionary                  a table with '_owner', '_key' and '_value'
        index                       an index index_<class>_<property>
        schema version              'PRAGMA user_version', if it fits in 32 bits

      Columns are NOT NULL if the realm does not allow null. With PRAGMA
      foreign_keys=ON, if you delete the target of a link, SQLite also deletes the
      elements of lists and sets that link to it, and sets links and dictionary
      entries to null.

      Three things have no counterpart: inverse relationships and default values,
      which a realm does not store, and full-text indexes, for which SQLite would
      need a virtual table.

      Comparing decimals and dates

      In 'sql', columns of decimals are compared as numbers, and columns of dates as
      times: in WHERE, ORDER BY, GROUP BY, DISTINCT, IN, joins, 'min' and 'max'. NaN
      comes before all numbers, as in the realm. 'sum', 'avg' and 'total' add
      decimals exactly, leave out NaN, and round the result once. 'sum' gives a
      number if a number has all of its digits, otherwise a text of up to 34 digits;
      'avg' and 'total' always give a number, so use 'total' to sort or compare.
      Some things still follow SQLite:

      * The result of a function is a plain text: write HAVING max(price) COLLATE
        decimal > '100', and ORDER BY max(price) COLLATE decimal. For dates, it is
        'COLLATE date'.
      * SQLite calculates with doubles, and compares a decimal with a column of int
        or double as a double; the strings 'Infinity', -Infinity and 'NaN' come
        after all numbers there. It keeps 15 digits of a number in a statement; put
        a longer one in quotes: price = '0.12345678901234567'.

      An exported database has no such order, because other programs could not open
      its tables then. Dates of the years 0 to 9999 are sorted by their text, as
      long as strings that you compare them with have as many digits; other years
      begin with a sign, so use --dates unix for them. For decimals, write:

        compare and sort  CAST(price AS REAL) > 9, ORDER BY CAST(price AS REAL):
                          exact to 15 digits; NaN and infinity count as 0
        the same with all digits, in the program sqlite3
                          price > '9' COLLATE decimal, ORDER BY price COLLATE
                          decimal
        add all digits, in the program sqlite3
                          decimal_sum(price)

      Mixed values

      Null, int, double, string and data are stored as they are. All other values
      are JSON, as 'export --format typed' writes it. <name>_type is null, 'int',
      'double', 'string', 'data', 'bool', 'float', 'date', 'decimal128', 'objectId',
      'uuid', 'object' (a link), 'list', 'set' or 'dictionary'. In a collection the
      columns are '_value' and '_value_type'.

      Names

      SQLite ignores the case of ASCII letters in names, so if two names differ only
      in case, the second one gets _2 appended. The same happens if the name of an
      index, of a collection's table or of a <name>_type column is taken; classes
      are named first. If a property is called '_key', the column of object keys is
      called '_key_2', or the next name that is free. Names of tables that begin
      with 'sqlite_' or '_realm_' get a _ in front. Invisible characters become _,
      and bytes that are not UTF-8 become U+FFFD.

      Limits

      A SQLite table has at most 2,000 columns. If a class needs more, nothing is
      written; leave the class out with --exclude.

      THE TABLES OF REALMCTL

        _realm_schema  Columns: 'schema', 'schema_version', 'file_format', 'dates',
                       'names'. Contains: one row: the schema file of the realm, its
                       schema version and file format, the form of dates ('room'
                       with --for room), and the name of each class's table with its
                       renamed columns.
        _realm_keys    Columns: 'class', 'object', 'key'. Contains: the object keys
                       of classes with a primary key.
        _realm_values  Columns: 'class', 'property', 'owner', 'position', 'value'.
                       Contains: values that their columns cannot store, as typed
                       JSON.

      'class' and 'property' are the names of the table and the column. You can drop
      these three tables if you do not want to compare the database with a realm or
      import it again.

      Some values cannot be stored in their column. The column then has the nearest
      value, and '_realm_values' has the exact one:

        NaN   null, or 0 if null is not allowed
        -0.0  0
        a string with bytes that are not UTF-8
              U+FFFD for these bytes
        a date with more digits than --dates keeps
              whole seconds or milliseconds

      '_realm_values' also has links to objects whose class was not exported and
      whose primary key is null, and, in a damaged realm, values that contradict the
      schema. 'position' is the position in the list, the number of the row in the
      set, or the key in the dictionary. Keys of rows and of dictionaries keep their
      bytes.

      WHAT YOU CAN RELY ON

      * The same realm and options give the same bytes.
      * The file is read back before it gets its name. 'PRAGMA integrity_check' and
        'foreign_key_check' must find nothing, and the content hash of each class
        must be that of the realm. --no-verify skips this. If the realm has damaged
        parts, only SQLite's own checks run, because incomplete content has no hash.
      * Damaged parts are left out; the messages name and count them, and the exit
        status is 2. A required value that is damaged becomes 0 or an empty string.
      * 'realmctl diff app.realm app.sqlite' shows what has changed since the
        export, object by object. It finds a changed value even if '_realm_values'
        still has the exact old one. It compares only objects and ignores other
        tables and columns, indexes, the version in '_realm_schema', the keys in
        '_realm_keys', and embedded objects to which nothing refers. A row of a
        collection without an owner is an error.
      * If the file was exported from a damaged realm, 'hash' covers only what is in
        the file.
      * With --only, --exclude or --where, embedded objects are exported with their
        parents. Links to objects that are not exported keep their value, but have
        no REFERENCES.
      * The database of an encrypted realm is not encrypted. Only its owner can read
        it (mode 600), and SQLite writes no temporary files while it is made.

      realmctl does not read a database while there is a write-ahead log (-wal) or a
      journal next to it with changes that are not in the database yet. Apply them
      first:

          sqlite3 app.sqlite 'PRAGMA journal_mode=DELETE; SELECT 1 FROM sqlite_schema'

      FOR ROOM

      'export --format sqlite --for room' writes a database that Android's Room can
      open. It differs from the one above in these points:

      * Columns have no CHECKs, and every column of a primary key is NOT NULL.
      * Dates are milliseconds, and mixed values are text.
      * The rows of sets have a '_position' as their primary key.
      * 'user_version' is 1 or greater.
      * The tables of realmctl are left out, unless you give --with-schema.

      The file is read back and compared before it gets this form, and every row is
      compared again afterward. 'hash' and 'diff' cannot read this form. 'schema
      dump --format room' prints the entities.
      """##
    ),
    (
      "formats",
      ##"""
      An app opens files of its SDK's own format as they are. It converts an older
      file when it opens it for writing, and refuses it when it opens it read-only.
      SDKs that write format 24 convert formats 10 and newer only; for an even older
      file, run 'upgrade' first. An app refuses a newer format, unless a backup that
      the SDK made before a conversion (app.v23.backup.realm) is still next to the
      file: it then goes back to that backup.

      So a seed that an app opens read-only must have the format that its SDK
      writes, and a seed that it copies may be older. 'realmctl bundle --file-format
      N' writes seeds for older SDKs; its report names the first release of each SDK
      that writes the format.

        Format  Swift, Objective-C  Java     JavaScript  .NET     Kotlin  Dart
        2       0.80.0              0.70.0   –           –        –       –
        3       0.96.0              0.83.0   0.10.0      0.70.0   –       –
        5       0.101.0             0.90.0   0.13.0      0.75.0   –       –
        6       2.0.0               2.0.0    0.15.0      0.80.0   –       –
        7       2.5.0               3.1.0    1.3.0       1.2.0    –       –
        9       3.0.0               4.0.0    2.0.0       2.0.0    –       –
        10      5.0.0               7.0.0    6.0.0       –        –       –
        11      5.4.0               7.0.4    6.1.1       5.0.1    –       –
        20      10.0.0              10.0.0   10.0.0      10.0.1   0.1.0   –
        22      10.8.0              10.6.0   10.5.0      10.2.0   0.6.0   0.2.0
        23      10.35.0             10.14.0  11.3.0      10.20.0  1.6.0   0.9.0
        24      10.49.0             –        12.7.0      12.0.0   1.15.0  2.0.0

      Each cell is the first release that writes the format, according to the SDK's
      release notes or to the version of Realm Core that they name. No release of
      the Java SDK writes format 24: its last, 10.19.0, writes 23. Only pre-releases
      wrote formats 4, 8 and 21.

      WHICH COMMAND READS AND WRITES WHICH FORMAT

        read             Formats: 0 (nothing written yet), 2 to 11, 20 to 24.
                         Commands: all commands, even if an upgrade to format 10 was
                         interrupted; 'recover' can scan formats 10 and newer, and
                         reads 2 to 9 as far as header and root allow.
        change in place  Formats: 24. Commands: 'compact', 'migrate', 'import',
                         'insert', 'update', 'delete', 'open --schema' and 'browse
                         --edit'; older formats need --upgrade (for 'browse', run
                         'upgrade' first).
        write            Formats: 24. Commands: 'upgrade', 'recover', 'write-copy',
                         'bundle', 'import --create', 'open --create', and
                         'compact', 'migrate', 'import', 'insert', 'update' and
                         'delete' with -o.
        write            Formats: 10, 11, 20, 22, 23. Commands: 'downgrade', and
                         'write-copy' and 'bundle' with --file-format.

      All other formats are refused (status 5), except by 'recover', which reads
      such a file as if it were format 24, and by 'rm', which deletes it. 'realmctl
      open FILE' shows the format of a file and these releases.
      """##
    ),
    (
      "keys",
      ##"""
      To open an encrypted realm, you need the key that the app gave to the SDK:
      exactly 64 bytes. realmctl reads it from a file (--key-file), an environment
      variable (--key-env) or a prompt (--key-prompt), never from an argument, which
      every process could see.

      THE FORMS OF A KEY

      A key file contains the 64 bytes themselves or text in one of these forms.
      White space, line breaks, quotes around the text and a byte order mark do not
      matter. UTF-16 is read if it begins with a byte order mark.

        64 raw bytes         From: a file that the app wrote.
        128 hex digits       00010203… From: logs, 'xxd -p', 'security -w' of binary
                             data, the Swift code below.
        0x and hex digits    0x00010203… From: debuggers.
        pairs of hex digits  00:01:02:03… or 00-01-02-03… From:
                             BitConverter.ToString in .NET, openssl.
        <…> with hex digits  <00010203 04050607 …>. From: NSLog and print of NSData
                             before iOS 13 and macOS 10.15; later, its
                             debugDescription.
        Base64               88 characters ending in ==, or 86. From: JSON, shared
                             preferences, key.base64EncodedString().
        numbers in brackets  [0, 1, 2, …], also {…} or (…). From: Arrays.toString in
                             Java, print(key) in Dart.
        numbers with commas  0, 1, 2, … From: debuggers, JavaScript.

      Numbers may be 0 to 255, -128 to 127 as Java prints bytes, or 0x00 to 0xff.

      --verbose says in which form the key was read. The example encrypts the sample
      realm dogs.realm, which 'make install' copies to share/doc/realmctl:

          $ i=0; while [ $i -lt 64 ]; do printf '%02x' $i; i=$((i+1)); done > hex.key
          $ realmctl write-copy dogs.realm secret.realm \
          > --out-key-file hex.key -q
          $ realmctl open secret.realm \
          > --key-file hex.key --verbose 2>&1 | grep 'was read'
          realmctl: secret.realm: the key was read as 128 hex digits

      HALF A KEY

      64 hex digits are only 32 bytes: half a key. A file with these digits and
      nothing else is 64 bytes long, so it is read as a raw key, which does not fit;
      the message says so. Look for the other half: the 128 digits may have been
      split between two lines.

          $ i=0; while [ $i -lt 64 ]; do printf '%02x' $i; i=$((i+1)); done > hex.key
          $ realmctl write-copy dogs.realm half.realm \
          > --out-key-file hex.key -q
          $ head -c 64 hex.key > half.key
          $ realmctl open half.realm --key-file half.key
          realmctl: half.realm: wrong encryption key, or the file is damaged (Realm
          file decryption failed: page 0 in file of size 8192 failed the HMAC check);
          check the key: its 64 hex digits were taken as 64 bytes, and a key in hex
          has 128 digits

      FROM AN IOS OR MACOS APP

      The key is usually in the keychain, as 64 bytes of data. On a device, other
      programs cannot read it there, so let a debug build of the app print it:

          print(config.encryptionKey!.map { String(format: "%02x", $0) }.joined())

      Copy what it prints, and save it with 'pbpaste > app.key'. The same code works
      in a simulator and in macOS apps. If a macOS app keeps the key in the login
      keychain, 'security find-generic-password -s SERVICE -w > app.key' saves it
      once you allow the access; it writes binary data as hex digits.

      FROM AN ANDROID APP

      The key is often Base64 text in the shared preferences, encrypted with a key
      from the Android keystore, so only the app can read it. Log it in a debug
      build (in Java, it is config.getEncryptionKey()):

          Log.i("key", android.util.Base64.encodeToString(
              config.encryptionKey, android.util.Base64.NO_WRAP))

      Then copy the text from the log: 'adb logcat -d -s key'. If a debuggable app
      stores the text unencrypted, you can read it from the preferences:

          adb exec-out run-as com.example.app cat shared_prefs/settings.xml

      FROM JAVASCRIPT, .NET AND DART

        JavaScript  console.log(new Uint8Array(key).join())
        .NET        Console.WriteLine(Convert.ToBase64String(key)), or
                    BitConverter.ToString(key)
        Dart        print(base64.encode(key)), or print(key), which prints [0, 1, …]

      KEEP IT SECRET

      Create the file so that only you can read it, and delete it when you are done:

          install -m 600 /dev/null app.key
          pbpaste > app.key
          realmctl open app.realm --key-file app.key
          rm app.key

      --key-env NAME suits CI jobs that keep secrets in variables. --key-prompt asks
      on the terminal and does not show what you type or paste. To read the key from
      another program, pipe it to --key-file -. If a command reads several realms,
      the key is for those that are encrypted.
      """##
    ),
    (
      "damage",
      ##"""
      'realmctl check FILE' reads everything in use and prints a line for each thing
      that contradicts the format. This page says what each finding means and what
      to do about it.

      FIRST

      1. Work on a copy. Keep the damaged file, which may be the only copy, as it
         is, with its .lock file if it has one.
      2. Look for a better copy: a backup, the file on another device, or the same
         file copied again while the app is closed. If a file was copied while an
         app wrote, often only the copy is damaged.
      3. Run 'check' and read the errors from the top. Follow-on findings are only
         counted.
      4. Run 'recover', which never changes its source. Compare its counts with what
         the app should have.

      Here four bytes in the middle of a file were overwritten. The file is the
      sample realm, which 'make install' copies to share/doc/realmctl:

          $ cp dogs.realm damaged.realm
          $ printf '\377\377\377\377' |
          > dd of=damaged.realm bs=1 seek=1996 conv=notrunc status=none
          $ realmctl check damaged.realm
          class Dog: 1 error, 1 follow-on finding
          error node.scheme: a node has an impossible width scheme (Dog.breed, node
          0x7c8); 1 follow-on finding
          damaged.realm: 1 error, 1 follow-on finding; format 24, 4 tables, 11
          objects, 9 links, 4 indexes, 87 nodes in 2.4 KiB, 1.5 KiB free; run
          'recover' to save what can be read
          $ realmctl recover damaged.realm -o saved.realm
          CLASS   OBJECTS  VALUES  VALUES LOST
          Dog           5      20            5
          Person        3      12
          Toy           2       4
          class Dog: more may be missing or wrong than is counted, because lists of
          its objects, properties or values are damaged or contradict each other
          wrote saved.realm: 2376 bytes (2.3 KiB), 5 values lost, perhaps more;
          verified

      SEVERITY

        error              Something contradicts the format: an app may fail, show
                           wrong data or destroy data. The exit status of 'check' is
                           1.
        warning            Something that no engine reads, that all engines read
                           correctly, or that Realm's own engines leave behind; in
                           the last case, the message says what it can cause. With
                           --strict, the exit status of 'check' is 1.
        note               Harmless; Realm's own engines leave it behind. Shown with
                           --verbose.
        follow-on finding  It follows from an error that is listed. Shown with
                           --verbose.

      In the tables below, a finding is an error unless it is marked as a warning or
      a note.

      THE INDEX DIFFERS FROM THE OBJECTS

      An index is a second copy of values, for searching. Usually the objects are
      right and the index is wrong: an app's queries miss or repeat objects, but
      'export' is complete. Compare with a backup, then run 'compact --rebuild', or
      for a synced realm 'write-copy --rebuild', which writes the objects with new
      indexes. The index of a primary key is different: if it is wrong, an app may
      create a second object with the same key.

        index.column           the column has an index but cannot, or is marked as
                               indexed but is not
        index.node             an index node has the wrong kind
        index.keys             the numbers of keys and entries in an index differ
        index.key-width        the keys of an index are not 32 bits wide
        index.order            the keys of an index are out of order
        index.maximum          an index key is not the largest below it
        index.size             an index node has more than 1,000 keys
        index.empty            a part of an index is empty
        index.depth            an index is too deep
        index.entry            the index lists an object under a value that it does
                               not have
        index.unknown-object   the index lists a nonexistent object
        index.repeated-object  the index lists an object twice
        index.missing-object   the index does not list an object under its value
        index.mixed-list       an index list contains objects with different values
        index.list-order       an index list is out of order
        index.old-list-order   an index list is in the order of an older format
                               (note)
        index.unordered-words  an index list of words is out of order, as engines
                               before version 14 leave it: searches for several
                               words can miss objects; 'compact --rebuild' fixes it
                               (warning)
        index.repeated-word    an index list contains an object twice whose list
                               repeats a string (note)
        index.leftover         the attributes of a column do not match its index
                               (note)
        index.stale-link       the index is out of date, as engines leave it when
                               they delete the target of a link: queries can miss
                               objects; 'compact --rebuild' fixes it (warning)

      LINKS AND BACKLINKS DIFFER

      A link is stored twice: in the object that links, and as a backlink in its
      target. If only one of the two exists (link.without-backlink,
      backlink.without-link), an app can follow the link in only one direction.
      Compare with a backup, then run 'compact --rebuild', or for a synced realm
      'write-copy --rebuild': it keeps the links and builds new backlinks from them.

      For backlink.form, a rebuild is also enough. For all other errors of this
      table, run 'recover'. A link to an object that does not exist (link.dangling)
      stops an app that follows it.

        link.dangling          a link points to a nonexistent object
        link.table             a link points to the wrong table
        link.without-backlink  a link has no backlink
        backlink.without-link  a backlink has no link
        backlink.stale         a backlink is left over from a link in a deleted
                               nested collection (note)
        backlink.form          fewer than two backlinks are stored as a list
        links.context          the mark for unresolved links is wrong
        links.null             a collection of links contains null
        embedded.parents       an embedded object does not have exactly one parent
        embedded.orphan        an embedded object is left over from a deleted column
                               or table (note)
        embedded.origin        an embedded object is linked from a set or a mixed
                               value
        asymmetric.target      links point to an asymmetric table
        tombstone.unlinked     nothing links to a tombstone

      VALUES CANNOT BE READ, OR NOT AS THEY WERE WRITTEN

      Some values of the class are damaged; the rest of the realm is not affected.
      Run 'recover': it saves what can be read, and its --report lists the objects
      concerned. 'export' leaves out what it cannot read; its exit status is then 2.

        leaf.kind                   values are not stored as their type requires
        int.null-marker             the number that means null is wrong
        bool.value                  a boolean is neither true nor false nor null
        date.parts                  the numbers of seconds and nanoseconds of dates
                                    differ
        date.value                  the nanoseconds of a date are out of range, or
                                    their sign differs from that of the seconds
        bytes.size                  ids have the wrong number of bytes
        decimal.width               decimals have an impossible width
        decimal.zero-reads-as-null  zeros of a required column read as null
        decimal.value               a decimal has bits that no engine writes
        text.width                  short strings have an impossible width
        text.padding                the padding of a string is wrong
        blob.parts                  the parts of a string or binary leaf do not fit
                                    together
        blob.offsets                the end offsets of strings or binaries are out
                                    of order
        blob.nulls                  a null flag is neither 0 nor 1
        blob.terminator             a string does not end with a zero byte
        blob.pieces                 the pieces of a large value do not fit together
        enumeration.index           an enumerated string does not exist
        value.null-in-required      a required value is null
        mixed.slots                 a leaf of mixed values has the wrong number of
                                    slots
        mixed.type                  a mixed value has an impossible type
        mixed.payload               the payload of a mixed value does not exist
        mixed.payload-use           the payload of a mixed value is unused or used
                                    twice
        mixed.value                 a mixed value is invalid for its type
        mixed.declared-type         a dictionary value does not have the declared
                                    type
        mixed.keys                  the numbers of values and keys of nested
                                    collections differ
        mixed.short-keys            there are fewer keys of nested collections than
                                    values (note)
        mixed.key-value             a nested collection has no usable key, or a
                                    plain value has one
        mixed.key-duplicate         two nested collections have the same key
        mixed.nesting               collections are nested deeper than 100 levels
        set.order                   a set is out of order
        set.duplicate               a set contains a value twice
        set.nan                     a set contains NaN, which engines cannot find
                                    again (note)
        dictionary.shape            a dictionary has the wrong shape
        dictionary.lengths          the numbers of keys and values in a dictionary
                                    differ
        dictionary.key              a key of a dictionary is null
        dictionary.order            the keys of a dictionary are out of order
        dictionary.duplicate        a dictionary has the same key twice
        dictionary.old-order        the keys of a dictionary are in the order of
                                    format 23, so engines cannot find all of them
                                    (note)
        primary-key.duplicate       two objects have the same primary key

      OBJECTS ARE MISSING OR IN THE WRONG PLACE

      The tree above the objects of a class, or above the elements of a collection,
      is damaged. Objects behind it are still in the file: 'recover' finds them
      without the tree.

        cluster.node                a node of the object tree has the wrong kind
        cluster.children            a node of the object tree has no children, or
                                    too many
        cluster.depth               the depth of the object tree is wrong
        cluster.total               the number of objects below a node is wrong
        cluster.offsets             the key offsets of clusters are wrong
        cluster.keys                object keys are out of order
        cluster.key-width           object keys are narrower than 8 bits
        cluster.key-range           an object key belongs to another cluster
        cluster.size                a cluster has more than 256 objects
        cluster.empty               a cluster is empty
        cluster.missing-leaf        a cluster has no values for a column
        cluster.dead-leaf           a cluster has values for a nonexistent column
        cluster.rows                the numbers of values and objects in a cluster
                                    differ
        cluster.test-build          the file was written by a test build with four
                                    entries per node (note)
        object.key                  an object key is outside the range of its kind
        object.sequence             the next embedded object would get a key already
                                    in use
        collisions.shape            the map of key collisions has the wrong shape
        collisions.order            the map of key collisions is out of order
        collisions.key              the map of key collisions points to a
                                    nonexistent object
        tree.node                   an inner node of a tree has the wrong kind
        tree.total                  the number of elements below a node is wrong
        tree.offsets                the offsets of a tree are wrong
        tree.offset-width           the offsets of a tree are narrower than 8 bits
        tree.compact-size           children of a compact tree are not full
        tree.depth                  the leaves of a tree are at different depths
        tree.empty-leaf             a tree has an empty leaf
        tree.general-under-compact  a compact tree node has a general one as child
        tree.fan-out                a node of a tree has too many elements

      THE DESCRIPTION OF A CLASS IS DAMAGED

      Names, types or keys of properties cannot be trusted. An app usually cannot
      open the realm. Use a backup, or 'recover': it determines types and properties
      from the objects.

        tables.lengths           the numbers of tables and names differ
        tables.slot              a slot of the list of tables is 0 (warning)
        tables.name              a table's name is missing, empty, too long or
                                 damaged
        tables.duplicate-name    two tables have the same name
        tables.lost-table        a table is gone, but its name remains
        table.key                a table's key does not fit its slot
        table.slot-count         a table's root has a number of slots that no engine
                                 writes
        table.slot               a slot of a table's root has the wrong kind of
                                 value
        table.type               a table has an unknown type
        table.primary-key        the primary key's column cannot be a primary key
        table.primary-key-index  the primary key has no index
        table.lists              the lists of indexes and opposite columns are too
                                 short or have different lengths
        table.dead-entry         a nonexistent column has an index or an opposite
                                 column
        spec.shape               the column descriptions have the wrong shape
        spec.lengths             the lists that describe columns have different
                                 lengths
        spec.names               the numbers of columns and names differ
        spec.order               a backlink column comes before a public one
        column.name              a column's name is missing, too long, damaged or
                                 used twice
        column.leaf-index        two columns share a place in the clusters
        column.attributes        the attributes and the key of a column disagree
        column.type              the type of a column is unknown or differs from its
                                 key
        column.combination       the type and the attributes of a column are
                                 incompatible
        column.key               a column key has bits that must be 0
        column.enumeration       the list of enumerated strings has the wrong shape
        column.opposite          a column without links has an opposite column
        column.link-partner      a link column has no matching backlink column
        column.backlink-partner  a backlink column has no matching link column
        column.backlink-orphan   a backlink column is left over from a deleted mixed
                                 column (note)

      NODES ARE DAMAGED

      A part of the file was overwritten, or was never written: a full disk, a power
      cut, a copy that was made while an app wrote. Use a backup, copy the file
      again from its source, or run 'recover'.

        node.misplaced-ref       a ref is misaligned or points into the header
        node.outside             a node lies outside the file
        node.unreadable          a node cannot be read
        node.shared              two refs point to a node
        node.overlap             a node overlaps another one
        node.scheme              a node has an impossible width scheme
        node.inner-without-refs  an inner node has no refs
        node.size                a node is larger than engines can handle
        node.depth               nodes are nested too deeply
        node.missing             a node that must exist is missing
        node.kind                a node has the wrong kind for its place
        node.signature           a node does not start with AAAA (note)
        node.section             a node crosses a boundary of 64 MiB (note)
        node.walk-too-long       refs form a cycle; not everything was checked

      THE HEADER OR THE ROOT IS DAMAGED

      The header is the first 24 bytes; the root is the node above everything else.
      An app cannot open the realm. 'recover' searches the file for roots; if it
      finds an older one, only the commits after it are lost.

        header.size              the file's size is not a multiple of 8
        header.footer            the footer of the copy is missing or damaged; the
                                 file was probably cut off
        header.streaming-fields  the header of a copy has fields that must be 0
        header.reserved          a reserved field of the header is not 0 (warning)
        header.top-ref           the offset of the root is wrong: outside the file,
                                 or not aligned
        header.newer-state       the unused header slot points to a newer version:
                                 an interrupted commit, or a damaged header (note)
        top.node                 the root is not a node of refs
        top.count                the root has a number of slots that no engine
                                 writes
        top.number-slot          a slot of the root must be a number
        top.ref-slot             a slot of the root must be a ref
        top.logical-size         the logical size does not fit the file
        top.version              the version is 0 (warning)
        top.evacuation           the state of evacuation is damaged

      THE LIST OF FREE SPACE IS WRONG

      The file can be read, but the next write may overwrite data, so do not open
      the realm with an app. 'compact' writes a new file and does not need the list;
      for a synced realm of an older format, run 'write-copy' instead. Until then,
      'migrate' and the other commands that change a realm refuse to write.

        free-list.node         a list of free space is not a list of numbers
        free-list.lengths      the lists of free space have different lengths
        free-list.order        free space is out of order
        free-list.alignment    free space is not aligned to 8 bytes
        free-list.empty-entry  an entry of free space has no valid length
        free-list.outside      free space lies outside the file
        free-list.overlap      entries of free space overlap
        free-list.version      space was freed by a version that does not exist
        free-list.live-node    free space overlaps a node in use; the next write
                               would destroy it
        free-list.gap          space is neither in use nor free
        free-list.leftover     nodes are neither in use nor free: space that was
                               never released (note)

      THE HISTORY IS DAMAGED

      The history is for notifications and sync. 'compact --rebuild' empties it;
      objects and schema version stay the same. It refuses a synced realm and a
      history of unknown type: for these, run 'write-copy', whose copy has an empty
      history.

        history.type         the history has an unknown type
        history.consistency  a file without history has parts of one
        history.schema       the history was written by a newer engine
        history.count        the history has more entries than there were versions
        history.shape        the sync history has the wrong shape

      FILES OF OLDER FORMATS

      'upgrade' converts the file and compares the result.

        legacy.interrupted-upgrade  an upgrade to format 10 was interrupted; tables
                                    are in the layouts of two formats (warning)
        legacy.subtable             a subtable that is not a list: each of its
                                    columns is read as a list; inside mixed values
                                    it is read as null (note)
        legacy.milliseconds         dates look like milliseconds, which Realm
                                    JavaScript wrote before format 5; they are read
                                    as seconds (note)
        legacy.rows                 the columns of a table have different numbers of
                                    rows
      """##
    ),
    (
      "problems",
      ##"""
      What messages mean, and what to do. A message has the form below; --json adds
      a code that stays the same when the wording changes.

          realmctl: FILE: what is wrong (details); what to do

      THE FILE CANNOT BE OPENED

        no such file or directory  Check the path. Without FILE, 'open', 'compact'
                                   and 'bundle' take default.realm in the current
                                   folder.
        not a Realm file, or encrypted
                                   Give the key with --key-file ('realmctl help
                                   keys'). If the file is not encrypted, its header
                                   is damaged: use 'recover'.
        not a Realm file           The file is something else, or its header was
                                   overwritten. 'recover' searches the rest for a
                                   realm.
        the file is empty          The app never wrote to it, or the copy failed.
                                   Copy it again, use a backup, or let the app open
                                   it first.
        wrong encryption key, or the file is damaged
                                   --verbose says in which form the key was read. Is
                                   it the key of this file, and all of it ('realmctl
                                   help keys')? 'recover' reads the pages that can
                                   be decrypted.
        Encryption key must be 64 bytes
                                   Part of the key is missing, or there is other
                                   text around it; see 'realmctl help keys'.
        the file is not encrypted  Omit the key.
        the file has been cut off  Copy it again from its source, use a backup, or
                                   save the rest with 'recover'.
        unsupported file format version N, newer than this realmctl supports
                                   Use a newer realmctl.
        is the lock file of a realm, not the realm itself
                                   Name the file without .lock.
        permission denied, operation not permitted, this user cannot read the file
                                   Get read permission for this user; on macOS, give
                                   the terminal Full Disk Access.

      THE FILE CANNOT BE CHANGED

        the file is in use by another process
                                   Close the app that the message names, or use
                                   --wait SECONDS. Commands that only read do not
                                   wait.
        the file has format N, which cannot be changed in place
                                   Add --upgrade; a backup is kept. Apps with an SDK
                                   for the older format can then no longer open the
                                   file.
        the file belongs to Device Sync
                                   Make a local copy with 'write-copy', and change
                                   that.
        the list of free space is damaged; the list of free space is wrong and
          writing would destroy data
                                   Run 'check'. If it finds no other damage, run
                                   'compact', then your command again; otherwise,
                                   save the rest with 'recover'.
        the realm is damaged, so nothing was written
                                   'check' says what is wrong. Without --strict,
                                   damage that leaves every node readable is copied,
                                   and with a backup or --allow-damage a damaged
                                   realm is changed; otherwise 'recover' saves the
                                   rest.
        the realm is damaged, and what 'recover' could still find in it would be
          removed
                                   Use 'recover', or 'compact -o', which leaves the
                                   file as it is.
        the file is damaged: … (node …)
                                   'check' names the class and property. Use a
                                   backup, or save the rest with 'recover'.
        this user cannot write the file, this user cannot write to the folder
                                   Get write permission for the file and its folder,
                                   or work on a copy.
        is a backup of a realm, not the realm itself
                                   Name the realm, or copy the backup to another
                                   name first.
        the output already exists  Choose another name, or replace it with --force.
        no space left              The new file is written next to the old one and
                                   may need as much space. Make room, or write to
                                   another disk with -o.

      FILES THAT A KILLED RUN LEAVES

      A run that ends by itself or is interrupted (Ctrl-C, SIGTERM) leaves no
      incomplete files. A run that is killed ('kill -9', a crash, a power cut)
      leaves either the old realm or the new one, and perhaps files next to it:

        .app.realm.realmctl-4711-0  An incomplete output; its name has those of the
                                    output and of the process (4711). The next run
                                    that writes app.realm deletes it. You can also
                                    delete it while realmctl is not running.
        app.realm.lock              The lock file, which apps also use. You can
                                    leave it, or delete it while nothing has the
                                    realm open.
        app.pre-migrate-20240131T120000Z.realm
                                    A backup, which runs that succeed also keep.
                                    Delete it when you no longer need it.

      THE SCHEMA IS WRONG

        Migration is required due to the following errors
                                    Raise the schema version: --schema-version of
                                    'open', --to-version of 'migrate'.
        Provided schema version 0 is less than last set version
                                    The realm has a higher version than you gave.
                                    'open FILE' shows it. Use it or a higher one;
                                    'migrate' needs a higher one for changes.
        the migration would lose data
                                    Use a plan ('realmctl help plan'), or accept the
                                    loss with --allow-data-loss.
        already at schema version N, so nothing was changed
                                    Raise --to-version, or in a plan the to of its
                                    last step.
        the plan ends at version N  The plan has no step to the version that you
                                    asked for. Use N, or add the step or --schema.
        not a valid schema          'realmctl help schema' describes the form, with
                                    an example.

      THE QUERY IS WRONG

        Invalid predicate: syntax error
                         A mark shows the place. Put text in double quotes, and the
                         whole query in single quotes: 'name == "Ann"'.
        has no property  'schema dump FILE' lists the properties. If the name is
                         meant as text, put it in quotes.
        Unsupported comparison between type …
                         Both sides need the same kind of type; see 'realmctl help
                         rql'.
        no class 'X'     'open FILE' lists the classes. Some commands also take
                         internal tables, with --internal.

      UNEXPECTED RESULTS

        'export' writes data, but its exit status is 2
                            Part of the realm is damaged and was left out; the
                            messages on standard error name it.
        removed values are still in the file
                            They stay in the free space until you run 'compact'.
        the file did not get smaller
                            'compact' removes only free space; 'stats' shows what
                            takes up the rest.
        'hash' differs though 'diff' prints nothing
                            Object keys differ; 'hash --no-keys' ignores them.
        strings sort oddly  As in the SDKs, strings are sorted by their UTF-8 bytes,
                            not by the rules of a language.
      """##
    ),
  ]
}
