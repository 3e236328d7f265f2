import RealmStorage

extension Finding {
  /// One line: what is wrong, the facts, the place.
  public var message: String {
    let facts = facts.text
    let place = place.text
    return kind.sentence + (facts.isEmpty ? "" : ": " + facts) + (place.isEmpty ? "" : " (" + place + ")")
  }
}

extension Finding.Place {
  /// The place in words, such as `Person.name, object 7, node 0x1f40, objects`.
  public var text: String {
    var parts: [String] = []
    let table = table.map(TableSchema.displayName(ofTable:))
    switch (table, column) {
    case (let table?, .property(let column)): parts.append("\(table).\(column)")
    case (let table?, .backlinks(let origin?, let column?)):
      parts.append("\(table), links from \(TableSchema.displayName(ofTable: origin)).\(column)")
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
    case .name(let name): "\(name)"
    case .link(let table, let key):
      "\(table.map { TableSchema.displayName(ofTable: $0).description } ?? "a nonexistent table"), object \(key.rawValue)"
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
    case .readFailed(let number): "the disk cannot be read: error \(number)"
    default: "\(self)"
    }
  }
}

extension FindingKind {
  /// What is wrong, in a few words. One table, so that the compiler misses no kind.
  package var sentence: String {
    switch self {
    case .headerSize: "the file's size is not a multiple of 8"
    case .headerFooter: "the footer of the copy is missing or damaged; the file was probably cut off"
    case .headerStreaming: "the header of a copy has fields that must be 0"
    case .headerReserved: "a reserved field of the header is not 0"
    case .headerTopRef: "the offset of the root is wrong"
    case .headerNewerState:
      "the unused header slot points to a newer version: an interrupted commit, or a damaged header"
    case .topNode: "the root is not a node of refs"
    case .topCount: "the root has a number of slots that no engine writes"
    case .topNumber: "a slot of the root must be a number"
    case .topRef: "a slot of the root must be a ref"
    case .topLogicalSize: "the logical size does not fit the file"
    case .topVersion: "the version is 0"
    case .topEvacuation: "the state of evacuation is damaged"
    case .historyType: "the history has an unknown type"
    case .historyConsistency: "a file without history has parts of one"
    case .historySchema: "the history was written by a newer engine"
    case .historyCount: "the history has more entries than there were versions"
    case .historyShape: "the sync history has the wrong shape"
    case .nodeMisplaced: "a ref is misaligned or points into the header"
    case .nodeOutside: "a node lies outside the file"
    case .nodeUnreadable: "a node cannot be read"
    case .nodeShared: "two refs point to a node"
    case .nodeOverlap: "a node overlaps another one"
    case .nodeScheme: "a node has an impossible width scheme"
    case .nodeInner: "an inner node has no refs"
    case .nodeSize: "a node is larger than engines can handle"
    case .nodeDepth: "nodes are nested too deeply"
    case .nodeMissing: "a node that must exist is missing"
    case .nodeKind: "a node has the wrong kind for its place"
    case .nodeSignature: "a node does not start with AAAA"
    case .nodeSection: "a node crosses a boundary of 64 MiB"
    case .walkTooLong: "refs form a cycle; not everything was checked"
    case .freeListNode: "a list of free space is not a list of numbers"
    case .freeListLengths: "the lists of free space have different lengths"
    case .freeListOrder: "free space is out of order"
    case .freeListAlignment: "free space is not aligned to 8 bytes"
    case .freeListEmptyEntry: "an entry of free space has no valid length"
    case .freeListOutside: "free space lies outside the file"
    case .freeListOverlap: "entries of free space overlap"
    case .freeListVersion: "space was freed by a version that does not exist"
    case .freeListLive: "free space overlaps a node in use; the next write would destroy it"
    case .freeSpaceGap: "space is neither in use nor free"
    case .freeSpaceLeftover: "nodes are neither in use nor free: space that was never released"
    case .groupLengths: "the numbers of tables and names differ"
    case .groupSlot: "a slot of the list of tables is 0"
    case .groupName: "a table's name is missing, empty, too long or damaged"
    case .groupDuplicateName: "two tables have the same name"
    case .groupLostTable: "a table is gone, but its name remains"
    case .tableKey: "a table's key does not fit its slot"
    case .tableSlotCount: "a table's root has a number of slots that no engine writes"
    case .tableSlot: "a slot of a table's root has the wrong kind of value"
    case .tableType: "a table has an unknown type"
    case .tablePrimaryKey: "the primary key's column cannot be a primary key"
    case .tablePrimaryKeyIndex: "the primary key has no index"
    case .tableLists: "the lists of indexes and opposite columns are too short or have different lengths"
    case .tableDeadEntry: "a nonexistent column has an index or an opposite column"
    case .specShape: "the column descriptions have the wrong shape"
    case .specLengths: "the lists that describe columns have different lengths"
    case .specNames: "the numbers of columns and names differ"
    case .specOrder: "a backlink column comes before a public one"
    case .columnName: "a column's name is missing, too long, damaged or used twice"
    case .columnLeafIndex: "two columns share a place in the clusters"
    case .columnAttributes: "the attributes and the key of a column disagree"
    case .columnType: "the type of a column is unknown or differs from its key"
    case .columnCombination: "the type and the attributes of a column are incompatible"
    case .columnKeyTag: "a column key has bits that must be 0"
    case .columnEnumeration: "the list of enumerated strings has the wrong shape"
    case .columnOpposite: "a column without links has an opposite column"
    case .linkColumnPartner: "a link column has no matching backlink column"
    case .backlinkColumnPartner: "a backlink column has no matching link column"
    case .backlinkColumnOrphan: "a backlink column is left over from a deleted mixed column"
    case .legacyUpgrade: "an upgrade to format 10 was interrupted; tables are in the layouts of two formats"
    case .legacyTable:
      "a subtable that is not a list: each of its columns is read as a list; inside mixed values it is read as null"
    case .legacyMilliseconds:
      "dates look like milliseconds, which Realm JavaScript wrote before format 5; they are read as seconds"
    case .rowCount: "the columns of a table have different numbers of rows"
    case .clusterNode: "a node of the object tree has the wrong kind"
    case .clusterChildren: "a node of the object tree has no children, or too many"
    case .clusterDepth: "the depth of the object tree is wrong"
    case .clusterTotal: "the number of objects below a node is wrong"
    case .clusterOffsets: "the key offsets of clusters are wrong"
    case .clusterKeys: "object keys are out of order"
    case .clusterKeyWidth: "object keys are narrower than 8 bits"
    case .clusterKeyRange: "an object key belongs to another cluster"
    case .clusterSize: "a cluster has more than 256 objects"
    case .clusterEmpty: "a cluster is empty"
    case .clusterMissingLeaf: "a cluster has no values for a column"
    case .clusterDeadLeaf: "a cluster has values for a nonexistent column"
    case .clusterRows: "the numbers of values and objects in a cluster differ"
    case .clusterTestBuild: "the file was written by a test build with four entries per node"
    case .objectKey: "an object key is outside the range of its kind"
    case .objectSequence: "the next embedded object would get a key already in use"
    case .collisionShape: "the map of key collisions has the wrong shape"
    case .collisionOrder: "the map of key collisions is out of order"
    case .collisionKey: "the map of key collisions points to a nonexistent object"
    case .tombstoneUnlinked: "nothing links to a tombstone"
    case .leafKind: "values are not stored as their type requires"
    case .intMarker: "the number that means null is wrong"
    case .boolValue: "a boolean is neither true nor false nor null"
    case .dateParts: "the numbers of seconds and nanoseconds of dates differ"
    case .dateValue: "the nanoseconds of a date are out of range, or their sign differs from that of the seconds"
    case .fixedSize: "ids have the wrong number of bytes"
    case .decimalWidth: "decimals have an impossible width"
    case .decimalZero: "zeros of a required column read as null"
    case .decimalValue: "a decimal has bits that no engine writes"
    case .textWidth: "short strings have an impossible width"
    case .textPadding: "the padding of a string is wrong"
    case .blobParts: "the parts of a string or binary leaf do not fit together"
    case .blobOffsets: "the end offsets of strings or binaries are out of order"
    case .blobNulls: "a null flag is neither 0 nor 1"
    case .blobTerminator: "a string does not end with a zero byte"
    case .blobPieces: "the pieces of a large value do not fit together"
    case .enumerationIndex: "an enumerated string does not exist"
    case .requiredNull: "a required value is null"
    case .mixedSlots: "a leaf of mixed values has the wrong number of slots"
    case .mixedType: "a mixed value has an impossible type"
    case .mixedPayload: "the payload of a mixed value does not exist"
    case .mixedPayloadUse: "the payload of a mixed value is unused or used twice"
    case .mixedValue: "a mixed value is invalid for its type"
    case .mixedDeclaredType: "a dictionary value does not have the declared type"
    case .mixedKeys: "the numbers of values and keys of nested collections differ"
    case .mixedShortKeys: "there are fewer keys of nested collections than values"
    case .mixedKeyValue: "a nested collection has no usable key, or a plain value has one"
    case .mixedKeyDuplicate: "two nested collections have the same key"
    case .mixedNesting: "collections are nested deeper than 100 levels"
    case .treeNode: "an inner node of a tree has the wrong kind"
    case .treeTotal: "the number of elements below a node is wrong"
    case .treeOffsets: "the offsets of a tree are wrong"
    case .treeOffsetWidth: "the offsets of a tree are narrower than 8 bits"
    case .treeCompactSize: "children of a compact tree are not full"
    case .treeDepth: "the leaves of a tree are at different depths"
    case .treeEmptyLeaf: "a tree has an empty leaf"
    case .treeMixedForms: "a compact tree node has a general one as child"
    case .treeFanOut: "a node of a tree has too many elements"
    case .linksContext: "the mark for unresolved links is wrong"
    case .linksNull: "a collection of links contains null"
    case .setOrder: "a set is out of order"
    case .setDuplicate: "a set contains a value twice"
    case .setNotANumber: "a set contains NaN, which engines cannot find again"
    case .dictionaryShape: "a dictionary has the wrong shape"
    case .dictionaryLengths: "the numbers of keys and values in a dictionary differ"
    case .dictionaryKey: "a key of a dictionary is null"
    case .dictionaryOrder: "the keys of a dictionary are out of order"
    case .dictionaryDuplicate: "a dictionary has the same key twice"
    case .dictionaryOldOrder:
      "the keys of a dictionary are in the order of format 23, so engines cannot find all of them"
    case .linkDangling: "a link points to a nonexistent object"
    case .linkTable: "a link points to the wrong table"
    case .linkWithoutBacklink: "a link has no backlink"
    case .backlinkWithoutLink: "a backlink has no link"
    case .backlinkStale: "a backlink is left over from a link in a deleted nested collection"
    case .backlinkForm: "fewer than two backlinks are stored as a list"
    case .embeddedParents: "an embedded object does not have exactly one parent"
    case .embeddedOrphan: "an embedded object is left over from a deleted column or table"
    case .embeddedOrigin: "an embedded object is linked from a set or a mixed value"
    case .asymmetricTarget: "links point to an asymmetric table"
    case .indexColumn: "the column has an index but cannot, or is marked as indexed but is not"
    case .indexNode: "an index node has the wrong kind"
    case .indexKeys: "the numbers of keys and entries in an index differ"
    case .indexKeyWidth: "the keys of an index are not 32 bits wide"
    case .indexOrder: "the keys of an index are out of order"
    case .indexMaximum: "an index key is not the largest below it"
    case .indexSize: "an index node has more than 1,000 keys"
    case .indexEmpty: "a part of an index is empty"
    case .indexDepth: "an index is too deep"
    case .indexEntry: "the index lists an object under a value that it does not have"
    case .indexUnknownObject: "the index lists a nonexistent object"
    case .indexRepeated: "the index lists an object twice"
    case .indexMissing: "the index does not list an object under its value"
    case .indexMixedList: "an index list contains objects with different values"
    case .indexListOrder: "an index list is out of order"
    case .indexOldOrder: "an index list is in the order of an older format"
    case .indexUnorderedWords:
      "an index list of words is out of order, as engines before version 14 leave it: searches for several words can "
        + "miss objects; 'compact --rebuild' fixes it"
    case .indexRepeatedWord: "an index list contains an object twice whose list repeats a string"
    case .indexLeftover: "the attributes of a column do not match its index"
    case .indexStaleLink:
      "the index is out of date, as engines leave it when they delete the target of a link: queries can miss "
        + "objects; 'compact --rebuild' fixes it"
    case .primaryKeyDuplicate: "two objects have the same primary key"
    }
  }
}
