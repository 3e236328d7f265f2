import RealmStorage

/// What can be wrong with a file: one case per invariant. The raw values are stable; scripts may rely on them.
///
/// Numbers in comments are sections of `Docs/Format`: C of `1-container.md`, V of `2-nodes-and-values.md`, T of
/// `3-tables-and-objects.md`.
package enum FindingKind: String, Hashable, Sendable, CaseIterable {
  // MARK: Header and top array (C §1.4, §3, §9)

  case headerSize = "header.size"
  case headerFooter = "header.footer"
  case headerStreaming = "header.streaming-fields"
  case headerReserved = "header.reserved"
  case headerTopRef = "header.top-ref"
  case headerNewerState = "header.newer-state"
  case topNode = "top.node"
  case topCount = "top.count"
  case topNumber = "top.number-slot"
  case topRef = "top.ref-slot"
  case topLogicalSize = "top.logical-size"
  case topVersion = "top.version"
  case topEvacuation = "top.evacuation"

  // MARK: History (C §3.5–3.7, §9)

  case historyType = "history.type"
  case historyConsistency = "history.consistency"
  case historySchema = "history.schema"
  case historyCount = "history.count"
  case historyShape = "history.shape"

  // MARK: Nodes (C §9, V §1, §9)

  case nodeMisplaced = "node.misplaced-ref"
  case nodeOutside = "node.outside"
  case nodeUnreadable = "node.unreadable"
  case nodeShared = "node.shared"
  case nodeOverlap = "node.overlap"
  case nodeScheme = "node.scheme"
  case nodeInner = "node.inner-without-refs"
  case nodeSize = "node.size"
  case nodeDepth = "node.depth"
  case nodeMissing = "node.missing"
  case nodeKind = "node.kind"
  case nodeSignature = "node.signature"
  case nodeSection = "node.section"
  case walkTooLong = "node.walk-too-long"

  // MARK: Free list (C §4.1, §9)

  case freeListNode = "free-list.node"
  case freeListLengths = "free-list.lengths"
  case freeListOrder = "free-list.order"
  case freeListAlignment = "free-list.alignment"
  case freeListEmptyEntry = "free-list.empty-entry"
  case freeListOutside = "free-list.outside"
  case freeListOverlap = "free-list.overlap"
  case freeListVersion = "free-list.version"
  case freeListLive = "free-list.live-node"
  case freeSpaceGap = "free-list.gap"
  case freeSpaceLeftover = "free-list.leftover"

  // MARK: Tables and columns (T §1–3, §6.1, §9.1)

  case groupLengths = "tables.lengths"
  case groupSlot = "tables.slot"
  case groupName = "tables.name"
  case groupDuplicateName = "tables.duplicate-name"
  case groupLostTable = "tables.lost-table"
  case tableKey = "table.key"
  case tableSlotCount = "table.slot-count"
  case tableSlot = "table.slot"
  case tableType = "table.type"
  case tablePrimaryKey = "table.primary-key"
  case tablePrimaryKeyIndex = "table.primary-key-index"
  case tableLists = "table.lists"
  case tableDeadEntry = "table.dead-entry"
  case specShape = "spec.shape"
  case specLengths = "spec.lengths"
  case specNames = "spec.names"
  case specOrder = "spec.order"
  case columnName = "column.name"
  case columnLeafIndex = "column.leaf-index"
  case columnAttributes = "column.attributes"
  case columnType = "column.type"
  case columnCombination = "column.combination"
  case columnKeyTag = "column.key"
  case columnEnumeration = "column.enumeration"
  case columnOpposite = "column.opposite"
  case linkColumnPartner = "column.link-partner"
  case backlinkColumnPartner = "column.backlink-partner"
  case backlinkColumnOrphan = "column.backlink-orphan"

  // MARK: Formats 2–9 (Docs/Format/4-file-versions.md §2)

  case legacyUpgrade = "legacy.interrupted-upgrade"
  case legacyTable = "legacy.subtable"
  case legacyMilliseconds = "legacy.milliseconds"
  case rowCount = "legacy.rows"

  // MARK: Objects (T §4, §9.1)

  case clusterNode = "cluster.node"
  case clusterChildren = "cluster.children"
  case clusterDepth = "cluster.depth"
  case clusterTotal = "cluster.total"
  case clusterOffsets = "cluster.offsets"
  case clusterKeys = "cluster.keys"
  case clusterKeyWidth = "cluster.key-width"
  case clusterKeyRange = "cluster.key-range"
  case clusterSize = "cluster.size"
  case clusterEmpty = "cluster.empty"
  case clusterMissingLeaf = "cluster.missing-leaf"
  case clusterDeadLeaf = "cluster.dead-leaf"
  case clusterRows = "cluster.rows"
  case clusterTestBuild = "cluster.test-build"
  case objectKey = "object.key"
  case objectSequence = "object.sequence"
  case collisionShape = "collisions.shape"
  case collisionOrder = "collisions.order"
  case collisionKey = "collisions.key"
  case tombstoneUnlinked = "tombstone.unlinked"

  // MARK: Values (V §2, §9)

  case leafKind = "leaf.kind"
  case intMarker = "int.null-marker"
  case boolValue = "bool.value"
  case dateParts = "date.parts"
  case dateValue = "date.value"
  case fixedSize = "bytes.size"
  case decimalWidth = "decimal.width"
  case decimalZero = "decimal.zero-reads-as-null"
  case decimalValue = "decimal.value"
  case textWidth = "text.width"
  case textPadding = "text.padding"
  case blobParts = "blob.parts"
  case blobOffsets = "blob.offsets"
  case blobNulls = "blob.nulls"
  case blobTerminator = "blob.terminator"
  case blobPieces = "blob.pieces"
  case enumerationIndex = "enumeration.index"
  case requiredNull = "value.null-in-required"

  // MARK: Mixed values (V §3, §9)

  case mixedSlots = "mixed.slots"
  case mixedType = "mixed.type"
  case mixedPayload = "mixed.payload"
  case mixedPayloadUse = "mixed.payload-use"
  case mixedValue = "mixed.value"
  case mixedDeclaredType = "mixed.declared-type"
  case mixedKeys = "mixed.keys"
  case mixedShortKeys = "mixed.short-keys"
  case mixedKeyValue = "mixed.key-value"
  case mixedKeyDuplicate = "mixed.key-duplicate"
  case mixedNesting = "mixed.nesting"

  // MARK: Trees and collections (V §4, §5, §7, §9)

  case treeNode = "tree.node"
  case treeTotal = "tree.total"
  case treeOffsets = "tree.offsets"
  case treeOffsetWidth = "tree.offset-width"
  case treeCompactSize = "tree.compact-size"
  case treeDepth = "tree.depth"
  case treeEmptyLeaf = "tree.empty-leaf"
  case treeMixedForms = "tree.general-under-compact"
  case treeFanOut = "tree.fan-out"
  case linksContext = "links.context"
  case linksNull = "links.null"
  case setOrder = "set.order"
  case setDuplicate = "set.duplicate"
  case setNotANumber = "set.nan"
  case dictionaryShape = "dictionary.shape"
  case dictionaryLengths = "dictionary.lengths"
  case dictionaryKey = "dictionary.key"
  case dictionaryOrder = "dictionary.order"
  case dictionaryDuplicate = "dictionary.duplicate"
  case dictionaryOldOrder = "dictionary.old-order"

  // MARK: Links (T §5, §9.1)

  case linkDangling = "link.dangling"
  case linkTable = "link.table"
  case linkWithoutBacklink = "link.without-backlink"
  case backlinkWithoutLink = "backlink.without-link"
  case backlinkStale = "backlink.stale"
  case backlinkForm = "backlink.form"
  case embeddedParents = "embedded.parents"
  case embeddedOrphan = "embedded.orphan"
  case embeddedOrigin = "embedded.origin"
  case asymmetricTarget = "asymmetric.target"

  // MARK: Search indexes (T §6, §9.1)

  case indexColumn = "index.column"
  case indexNode = "index.node"
  case indexKeys = "index.keys"
  case indexKeyWidth = "index.key-width"
  case indexOrder = "index.order"
  case indexMaximum = "index.maximum"
  case indexSize = "index.size"
  case indexEmpty = "index.empty"
  case indexDepth = "index.depth"
  case indexEntry = "index.entry"
  case indexUnknownObject = "index.unknown-object"
  case indexRepeated = "index.repeated-object"
  case indexMissing = "index.missing-object"
  case indexMixedList = "index.mixed-list"
  case indexListOrder = "index.list-order"
  case indexOldOrder = "index.old-list-order"
  case indexUnorderedWords = "index.unordered-words"
  case indexRepeatedWord = "index.repeated-word"
  case indexLeftover = "index.leftover"
  case indexStaleLink = "index.stale-link"
  case primaryKeyDuplicate = "primary-key.duplicate"
}

extension FindingKind {
  /// The severity of a finding of this kind, unless it is a leftover of engines and therefore a note.
  package var severity: Finding.Severity {
    switch self {
    // V §1.1: never interpreted. C §9: the reader accepts a crossing node, copies produce them.
    case .nodeSignature, .nodeSection,
      // C §5: what an interrupted commit leaves.
      .headerNewerState,
      // T §11, T §6.8
      .freeSpaceLeftover, .backlinkColumnOrphan, .backlinkStale, .embeddedOrphan, .indexRepeatedWord, .indexLeftover,
      // V §11
      .mixedShortKeys, .dictionaryOldOrder, .setNotANumber,
      // Docs/Format/4-file-versions.md §3.9, §3.11
      .indexOldOrder, .clusterTestBuild,
      // Docs/Format/4-file-versions.md §2.8, §2.12
      .legacyTable, .legacyMilliseconds:
      .note
    // No engine reads it, or all read it correctly.
    case .headerReserved, .topVersion, .groupSlot,
      // T §11: left behind by engines, which may crash when the object changes again.
      .indexStaleLink,
      // Engines before 14 append an object to the list of a word. They and newer engines find it by that word, but may
      // miss it in a search for several words.
      .indexUnorderedWords,
      // Docs/Format/4-file-versions.md §2.21
      .legacyUpgrade:
      .warning
    default: .error
    }
  }
}
