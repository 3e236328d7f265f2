extension Finding {
  /// One line: what is wrong, the facts, the place.
  public var message: String {
    let facts = facts.text
    let place = place.text
    return kind.sentence + (facts.isEmpty ? "" : ": " + facts) + (place.isEmpty ? "" : " (" + place + ")")
  }
}

extension Finding.Place {
  /// The place in words, such as `class_Person.name, object 7, node 0x1f40, objects`.
  public var text: String {
    var parts: [String] = []
    switch (table, column) {
    case (let table?, .property(let column)): parts.append("\(table).\(column)")
    case (let table?, .backlinks(let origin?, let column?)): parts.append("\(table), links from \(origin).\(column)")
    case (let table?, .backlinks): parts.append("\(table), backlinks")
    case (let table?, nil): parts.append(table.description)
    case (nil, .property(let column)): parts.append(column.description)
    case (nil, _): break
    }
    if let object { parts.append("object \(object.rawValue)") }
    if let position { parts.append("position \(position)") }
    if let ref, !ref.isNull { parts.append("node \(ref)") }
    if let part, part != .objects || parts.isEmpty { parts.append(part.rawValue) }
    return parts.joined(separator: ", ")
  }
}

extension Finding.Facts {
  fileprivate var text: String {
    switch self {
    case .none: ""
    case .found(let value): "found \(value)"
    case .expected(let expected, let found): "expected \(expected), found \(found)"
    case .bytes(let from, let to): "bytes \(Ref(from)) to \(Ref(to)), \(to &- from) in all"
    case .other(let ref): "\(ref)"
    case .name(let name): "\(name)"
    case .link(let table, let key):
      "\(table.map(\.description) ?? "a table that does not exist"), object \(key.rawValue)"
    case .node(let reason): reason.text
    case .text(let text): text
    }
  }
}

extension Corruption.Reason {
  /// The reasons a node that exists cannot be read.
  fileprivate var text: String {
    switch self {
    case .unreadablePage(let index): "encrypted page \(index) fails its check"
    case .readFailed(let number): "the disk cannot be read, error \(number)"
    default: "\(self)"
    }
  }
}

extension FindingKind {
  /// What is wrong, in a few words. One table, so that the compiler misses no kind.
  public var sentence: String {
    switch self {
    case .headerSize: "the file's size is not a multiple of 8"
    case .headerFooter: "the footer of the copy is missing or damaged; the file is probably truncated"
    case .headerStreaming: "the header of a copy has fields that must be 0"
    case .headerReserved: "a reserved field of the header is not 0"
    case .headerTopRef: "the root lies outside the file or is not aligned"
    case .headerNewerState:
      "the slot of the header that is not in use leads to a newer version; a commit was interrupted, or the header is damaged"
    case .topNode: "the root is not a node of references"
    case .topCount: "the root has a number of slots that no engine writes"
    case .topNumber: "a slot of the root should hold a number"
    case .topRef: "a slot of the root should hold a ref"
    case .topLogicalSize: "the logical size does not fit the file"
    case .topVersion: "the version is 0"
    case .topEvacuation: "the state of evacuation is damaged"
    case .historyType: "the history is of an unknown type"
    case .historyConsistency: "a file without history has parts of one"
    case .historySchema: "the history was written by a newer engine"
    case .historyCount: "the history has more entries than there were versions"
    case .historyShape: "the sync history is not of its shape"
    case .nodeMisplaced: "a ref is not aligned or leads into the header"
    case .nodeOutside: "a node lies outside the file"
    case .nodeUnreadable: "a node cannot be read"
    case .nodeShared: "a node is referred to twice"
    case .nodeOverlap: "a node overlaps another one"
    case .nodeScheme: "a node has an impossible width scheme"
    case .nodeInner: "an inner node has no references"
    case .nodeSize: "a node is larger than engines can handle"
    case .nodeDepth: "nodes are nested too deep"
    case .nodeMissing: "a node that must exist is missing"
    case .nodeKind: "a node is not of the kind its place asks for"
    case .nodeSignature: "a node does not start with AAAA"
    case .nodeSection: "a node crosses a boundary of 64 MiB"
    case .walkTooLong: "refs lead in circles; not everything was looked at"
    case .freeListNode: "a list of free space is not a list of numbers"
    case .freeListLengths: "the lists of free space differ in length"
    case .freeListOrder: "free space is not in ascending order"
    case .freeListAlignment: "free space is not aligned to 8 bytes"
    case .freeListEmptyEntry: "an entry of free space has no length"
    case .freeListOutside: "free space lies outside the file"
    case .freeListOverlap: "entries of free space overlap"
    case .freeListVersion: "space was freed by a version that does not exist"
    case .freeListLive: "free space overlaps a node in use; the next write would destroy it"
    case .freeSpaceGap: "space is neither in use nor free"
    case .freeSpaceLeftover: "nodes are neither in use nor free; space that was not released"
    case .groupLengths: "tables and their names differ in number"
    case .groupSlot: "a slot of the list of tables is 0"
    case .groupName: "a table's name is missing, empty or too long"
    case .groupDuplicateName: "two tables have the same name"
    case .groupLostTable: "the name of a table is left, but the table is gone"
    case .tableKey: "a table's key does not fit its slot"
    case .tableSlotCount: "a table's root has a number of slots that no engine writes"
    case .tableSlot: "a slot of a table's root holds the wrong kind of value"
    case .tableType: "a table is of an unknown type"
    case .tablePrimaryKey: "the primary key is not a column that can be one"
    case .tablePrimaryKeyIndex: "the primary key has no index"
    case .tableLists: "the lists of indexes and opposite columns are too short or differ in length"
    case .tableDeadEntry: "a column that does not exist has an index or an opposite column"
    case .specShape: "the description of columns is not of its shape"
    case .specLengths: "the lists that describe columns differ in length"
    case .specNames: "names and columns differ in number"
    case .specOrder: "a backlink column stands before a public one"
    case .columnName: "a column's name is missing, too long or used twice"
    case .columnLeafIndex: "two columns have the same place in clusters"
    case .columnAttributes: "attributes and key of a column differ"
    case .columnType: "the type of a column is unknown or differs from its key"
    case .columnCombination: "type and attributes of a column do not go together"
    case .columnKeyTag: "a column key has bits that must be 0"
    case .columnEnumeration: "the list of enumerated texts is not of its shape"
    case .columnOpposite: "a column that holds no links has an opposite column"
    case .linkColumnPartner: "a link column has no backlink column that belongs to it"
    case .backlinkColumnPartner: "a backlink column has no link column that belongs to it"
    case .backlinkColumnOrphan: "a backlink column remains of a mixed column that is gone"
    case .legacyUpgrade: "an upgrade to format 10 was interrupted; tables are in the layouts of two formats"
    case .legacyTable:
      "a subtable that is not a list: its columns are read as a list each, in mixed values it is read as null"
    case .legacyMilliseconds:
      "dates look like milliseconds, which Realm JavaScript wrote before format 5; they are read as seconds"
    case .rowCount: "the columns of a table have different numbers of rows"
    case .clusterNode: "a node of the tree of objects is of the wrong kind"
    case .clusterChildren: "a node of the tree of objects has none or too many children"
    case .clusterDepth: "the depth of the tree of objects is wrong"
    case .clusterTotal: "the number of objects below a node is wrong"
    case .clusterOffsets: "the key offsets of clusters are wrong"
    case .clusterKeys: "object keys do not ascend"
    case .clusterKeyWidth: "object keys are narrower than 8 bits"
    case .clusterKeyRange: "an object key belongs to another cluster"
    case .clusterSize: "a cluster has more than 256 objects"
    case .clusterEmpty: "a cluster is empty"
    case .clusterMissingLeaf: "a cluster has no values for a column"
    case .clusterDeadLeaf: "a cluster has values for a column that does not exist"
    case .clusterRows: "values and objects of a cluster differ in number"
    case .clusterTestBuild: "the file was written by a test build with four entries per node"
    case .objectKey: "an object key is outside the range of its kind"
    case .objectSequence: "the next embedded object would get a key that exists"
    case .collisionShape: "the map of key collisions is not of its shape"
    case .collisionOrder: "the map of key collisions is not in order"
    case .collisionKey: "the map of key collisions leads to an object that does not exist"
    case .tombstoneUnlinked: "nothing links to a tombstone"
    case .leafKind: "values are not stored as their type asks for"
    case .intMarker: "the number that stands for null is wrong"
    case .boolValue: "a boolean is neither true nor false nor null"
    case .dateParts: "seconds and nanoseconds of dates differ in number"
    case .dateValue: "the nanoseconds of a date are out of range"
    case .fixedSize: "ids have the wrong number of bytes"
    case .decimalWidth: "decimals have an impossible width"
    case .decimalZero: "zeros of a required column read as null"
    case .decimalValue: "the bits of a decimal are none that engines write"
    case .textWidth: "short texts have an impossible width"
    case .textPadding: "the padding of a text is wrong"
    case .blobParts: "the parts of a leaf of texts or data do not fit together"
    case .blobOffsets: "the ends of texts or data do not ascend to the end of their bytes"
    case .blobNulls: "a flag of nulls is neither 0 nor 1"
    case .blobTerminator: "a text does not end with a zero byte"
    case .blobPieces: "the pieces of a large value do not fit together"
    case .enumerationIndex: "an enumerated text does not exist"
    case .requiredNull: "a required value is null"
    case .mixedSlots: "a leaf of mixed values has the wrong number of slots"
    case .mixedType: "a mixed value is of an impossible type"
    case .mixedPayload: "the payload of a mixed value does not exist"
    case .mixedPayloadUse: "a payload of mixed values belongs to none or to two of them"
    case .mixedValue: "a mixed value is impossible for its type"
    case .mixedDeclaredType: "a value of a dictionary is not of the declared type"
    case .mixedKeys: "keys of nested collections and values differ in number"
    case .mixedShortKeys: "keys of nested collections end before the values do"
    case .mixedKeyValue: "a nested collection has no usable key, or another value has one"
    case .mixedKeyDuplicate: "two nested collections have the same key"
    case .mixedNesting: "collections are nested deeper than 100 levels"
    case .treeNode: "an inner node of a tree is of the wrong kind"
    case .treeTotal: "the number of elements below a node is wrong"
    case .treeOffsets: "the offsets of a tree are wrong"
    case .treeOffsetWidth: "the offsets of a tree are narrower than 8 bits"
    case .treeCompactSize: "children of a compact tree are not full"
    case .treeDepth: "the leaves of a tree are not at one depth"
    case .treeEmptyLeaf: "a tree has an empty leaf"
    case .treeMixedForms: "a general node of a tree stands under a compact one"
    case .treeFanOut: "a node of a tree has too many elements"
    case .linksContext: "the mark for unresolved links is wrong"
    case .linksNull: "a collection of links holds null"
    case .setOrder: "a set is not in order"
    case .setDuplicate: "a set holds a value twice"
    case .setNotANumber: "a set holds a NaN, which engines never find again"
    case .dictionaryShape: "a dictionary is not of its shape"
    case .dictionaryLengths: "keys and values of a dictionary differ in number"
    case .dictionaryKey: "a key of a dictionary is null"
    case .dictionaryOrder: "the keys of a dictionary are not in order"
    case .dictionaryDuplicate: "a dictionary has a key twice"
    case .dictionaryOldOrder: "the keys of a dictionary are in the order of format 23; engines do not find all of them"
    case .linkDangling: "a link leads to an object that does not exist"
    case .linkTable: "a link leads to a table it cannot lead to"
    case .linkWithoutBacklink: "a link has no backlink"
    case .backlinkWithoutLink: "a backlink has no link"
    case .backlinkStale: "a backlink remains of a link in a nested collection that is gone"
    case .backlinkForm: "fewer than two backlinks are stored as a list"
    case .embeddedParents: "an embedded object has not exactly one parent"
    case .embeddedOrphan: "an embedded object remains whose parent's column or table is gone"
    case .embeddedOrigin: "an embedded object is linked from a set or a mixed value"
    case .asymmetricTarget: "links lead to an asymmetric table"
    case .indexColumn: "the column cannot have an index, or has none although it is marked"
    case .indexNode: "a node of an index is of the wrong kind"
    case .indexKeys: "keys and entries of an index differ in number"
    case .indexKeyWidth: "the keys of an index are not 32 bits wide"
    case .indexOrder: "the keys of an index do not ascend"
    case .indexMaximum: "a key of an index is not the largest below it"
    case .indexSize: "a node of an index has more than 1000 keys"
    case .indexEmpty: "a part of an index is empty"
    case .indexDepth: "an index is too deep"
    case .indexEntry: "the index has an object under a value that is not its own"
    case .indexUnknownObject: "the index has an object that does not exist"
    case .indexRepeated: "the index has an object twice"
    case .indexMissing: "the index does not have an object under its value"
    case .indexMixedList: "a list of an index holds objects with different values"
    case .indexListOrder: "a list of an index is not in order"
    case .indexOldOrder: "a list of an index is in the order of an older format"
    case .indexRepeatedWord: "a list of an index has an object twice whose list repeats a text"
    case .indexLeftover: "the attributes of a column do not tell what its index holds"
    case .indexStaleLink:
      "the index is out of date, as engines leave it when the target of a link is deleted: queries for a value can miss "
        + "objects; 'compact --rebuild' makes it again"
    case .primaryKeyDuplicate: "two objects have the same primary key"
    }
  }
}
