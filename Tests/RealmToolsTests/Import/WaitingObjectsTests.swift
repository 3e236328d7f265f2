import RealmExchange
import RealmInspection
import RealmModels
import RealmStorage
import RealmTools
import TestSupport
import Testing

/// Objects whose links lead to others that come later.
@Suite struct WaitingObjectsTests {
  private static let schema = """
    [{"name":"E","embedded":true,"properties":{"n":"int","to":"T"}},
     {"name":"T","primaryKey":"id","properties":{"id":"int","next":"T","all":"T[]","some":"T<>","by":"T{}","e":"E",
      "es":"E[]","m":"mixed","ms":"mixed[]","md":"mixed{}","s":"string","d":"data","f":"float","g":"double",
      "b":"bool","t":"date","x":"decimal128","o":"objectId","u":"uuid","z":"int?","l":"string[]","k":"int{}"}}]
    """

  private static func line(_ id: Int, to other: Int) -> String {
    #"{"class":"T","value":{"id":\#(id),"next":\#(other),"all":[\#(other),0,\#(other)],"some":[\#(other)],"#
      + #""by":{"a":\#(other),"b":null},"e":{"n":\#(id),"to":\#(other)},"es":[{"n":1,"to":\#(other)},{"n":2}],"#
      + #""m":{"$link":{"table":"T","key":\#(other)}},"ms":[1,"é",null,{"$link":{"table":"T","key":\#(other)}},[true]],"#
      + #""md":{"a":{"$date":"2001-01-01T00:00:00.5Z"},"b":{"$link":{"table":"T","key":\#(other)}}},"s":"text \#(id)","#
      + #""d":"AQID","f":{"$float":"-0.0"},"g":"NaN","b":true,"t":"1969-12-31T23:59:59.25Z","x":"1.50","#
      + #""o":"507f1f77bcf86cd799439011","u":"01234567-89ab-cdef-0123-456789abcdef","z":null,"l":["","x"],"k":{"q":-1}}}"#
      + "\n"
  }

  private static func data(of count: Int) -> [UInt8] {
    Array((0..<count).map { line($0, to: count - 1 - $0) }.joined().utf8)
  }

  /// A realm with the schema, built directly from JSON.
  private static func realm(_ folder: TemporaryFolder, _ name: String, _ data: [UInt8]) throws -> String {
    let text = try folder.write(name + ".ndjson", data)
    let path = folder.path(name)
    let seed = DataSeed(schema: try SchemaFile(Array(schema.utf8)).schema, dataAt: [text])
    let output = try seed.makeOutput(at: path, replacing: .never)
    _ = try seed.write(to: output)
    try output.publish()
    return path
  }

  private static func hash(_ path: String) throws -> String {
    var hasher = ContentHasher(try OpenedRealm(ByteStore.open(.path(path), key: nil)).snapshot)
    hasher.includesObjectKeys = false
    return "\(try hasher.run().digest)"
  }

  @Test("they get the same values whether they wait in memory, in a file, or not at all", arguments: [0, 7, 10_000])
  func values(mostInMemory: Int) throws {
    let folder = try TemporaryFolder()
    let count = 40
    let wanted = try Self.hash(Self.realm(folder, "wanted.realm", Self.data(of: count)))
    let source = try folder.write("source.ndjson", Self.data(of: count))
    let ids = Array((0..<count).map { #"{"class":"T","value":{"id":\#($0)}}"# + "\n" }.joined().utf8)
    // Objects that are created, and some that exist.
    for (name, before) in [("new.realm", []), ("some.realm", Array(ids.prefix(400)))] {
      let lines = before.split(separator: 10).map { Array($0) + [10] }.filter { $0.hasSuffix("}}\n") }.joined()
      let path = try Self.realm(folder, name, Array(lines))
      for keepsOffDisk in [false, true] {
        var options = ImportOptions()
        (options.mode, options.mostWaitingInMemory, options.keepsOffDisk) = (.upsert, mostInMemory, keepsOffDisk)
        let transaction = try WriteTransaction(RealmFile(path, key: nil))
        let report = try ObjectImporter(transaction, options).run([JSONSource(source, coerces: false)])
        try transaction.commit()
        #expect(report.problemCount == 0)
        let counts = try #require(report.counts.first?.counts)
        #expect(counts.read == count)
        #expect(keepsOffDisk ? counts.unchanged == count : counts.inserted + counts.updated == count, "\(counts)")
        #expect(try Self.hash(path) == wanted)
        #expect(try Checker(ByteStore.open(.path(path), key: nil).store).run { _ in }.errors == 0)
      }
    }
  }

  @Test("a target that never comes is named with the line, from the file too", arguments: [0, 10_000])
  func missing(mostInMemory: Int) throws {
    let folder = try TemporaryFolder()
    let path = try Self.realm(folder, "a.realm", [])
    let source = try folder.write(
      "source.ndjson", Array((Self.line(0, to: 1) + Self.line(1, to: 0) + Self.line(2, to: 9)).utf8))
    var options = ImportOptions()
    (options.mostWaitingInMemory, options.mostErrors) = (mostInMemory, 1000)
    let transaction = try WriteTransaction(RealmFile(path, key: nil))
    let report = try ObjectImporter(transaction, options).run([JSONSource(source, coerces: false)])
    try transaction.commit()
    #expect(Set(report.problems.map(\.line)) == [3])
    #expect(report.problems.allSatisfy { $0.object == "2" && $0.reason.contains("no object 9 of class 'T' exists") })
    let counts = try #require(report.counts.first?.counts)
    #expect((counts.read, counts.inserted, counts.rejected) == (3, 2, 1))
    #expect(try Checker(ByteStore.open(.path(path), key: nil).store).run { _ in }.errors == 0)
  }
}

extension [UInt8] {
  fileprivate func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}
