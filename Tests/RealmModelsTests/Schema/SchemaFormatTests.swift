import RealmModels
import RealmStorage
import TestSupport
import Testing

@Suite("Forms of schema text") struct SchemaFormatTests {
  @Test("Every form of the sample schemas is as recorded", arguments: SchemaFormat.allCases, SampleSchemas.all.indices)
  func snapshot(format: SchemaFormat, sample: Int) throws {
    let (name, schema) = SampleSchemas.all[sample]
    #expect(
      try RecordedText("\(name).\(format.rawValue).txt", in: "Expected", of: #filePath).problem(
        with: format.text(of: schema).utf8)
        == nil)
  }

  @Test("What each form cannot express of the sample schemas is as recorded", arguments: SampleSchemas.all.indices)
  func notes(sample: Int) throws {
    let (name, schema) = SampleSchemas.all[sample]
    let lines = SchemaFormat.allCases.flatMap { format in
      ["== \(format.rawValue)"] + format.text(of: schema).notes.map(\.description)
    }
    #expect(
      try RecordedText("\(name).notes.txt", in: "Expected", of: #filePath).problem(
        with: Array(lines.map { $0 + "\n" }.joined().utf8))
        == nil)
  }

  @Test("The same schema in another order of tables gives the same text, except where the file's order counts")
  func tableOrder() {
    var reversed = SampleSchemas.everything
    reversed.tables.reverse()
    for format in SchemaFormat.allCases where format != .coreJSON {
      #expect(format.text(of: reversed) == format.text(of: SampleSchemas.everything), "\(format)")
    }
    #expect(SchemaFormat.coreJSON.text(of: reversed) != SchemaFormat.coreJSON.text(of: SampleSchemas.everything))
  }

  @Test("No text holds a byte that is not UTF-8, or a control character other than line feeds")
  func textIsText() {
    for sample in SampleSchemas.all {
      for format in SchemaFormat.allCases {
        let text = format.text(of: sample.schema)
        #expect(String(utf8: text.utf8) != nil, "\(format) \(sample.name)")
        #expect(!text.utf8.contains { $0 < 0x20 && $0 != 0x0a || $0 == 0x7f }, "\(format) \(sample.name)")
      }
    }
  }

  @Test("Internal tables appear in the listing on demand only")
  func internalTables() {
    let hidden = SchemaFormat.text.text(of: SampleSchemas.everything).string
    let shown = SchemaFormat.text.text(
      of: SampleSchemas.everything, options: SchemaTextOptions(includesInternal: true)
    ).string
    #expect(!hidden.contains("metadata"))
    #expect(shown.hasPrefix(hidden))
    #expect(shown.hasSuffix("\ninternal table metadata\n  version: Int\n"))
  }

  @Test("App Services' relationships name the service and database asked for")
  func relationshipNames() {
    let options = SchemaTextOptions(service: "cluster", database: "shop")
    let text = SchemaFormat.appServices.text(of: SampleSchemas.everything, options: options).string
    #expect(text.contains("\"#/relationship/cluster/shop/EveryShape\""))
    #expect(!text.contains("mongodb-atlas"))
  }
}
