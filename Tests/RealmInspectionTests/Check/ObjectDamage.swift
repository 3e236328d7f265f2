import TestSupport

@testable import RealmInspection
@testable import RealmStorage

extension Damage {
  /// Clusters and keys of objects (Docs/Format/3-tables-and-objects.md §4, §9.1).
  static let clusters: [Damage] = [
    .nodes("cluster with the context flag", of: "dogs", finds: .clusterNode, at: .table("metadata", .objects)) {
      try $0.table("metadata").cluster().flags |= 0x20
    },
    .nodes("inner node without children", of: "dogs", finds: .clusterChildren, at: .table("metadata", .objects)) {
      try $0.table("metadata").top.elements[2] = .child(.refs([.raw(0), .tagged(1), .tagged(0)], flags: 0xc0))
    },
    .nodes("inner node of 257 children", of: "dogs", finds: .clusterChildren, at: .table("metadata", .objects)) {
      tree in
      let table = try tree.table("metadata")
      let clusters = (0..<257).map { _ in
        EditableNode.Element.child(.refs([.tagged(1), .child(.numbers([0]))]))
      }
      let offsets = EditableNode.numbers((0..<257).map { Int64($0 * 16) })
      table.top.elements[2] = .child(.refs([.child(offsets), .tagged(1), .tagged(257)] + clusters, flags: 0xc0))
    },
    .nodes("depth 2 above clusters", of: "strings", finds: .clusterDepth, at: .table("class_Short", .objects)) {
      try $0.table("class_Short").clusterRoot.elements[1] = .tagged(2)
    },
    .nodes("one object too many in a total", of: "strings", finds: .clusterTotal, at: .table("class_Short", .objects)) {
      try $0.table("class_Short").clusterRoot.elements[2] = .tagged(301)
    },
    .nodes("one offset too many", of: "strings", finds: .clusterOffsets, at: .table("class_Short", .objects)) {
      try $0.table("class_Short").clusterRoot.require(0).values.append(0x2_0000)
    },
    .nodes("first offset not 0", of: "strings", finds: .clusterOffsets, at: .table("class_Short", .objects)) {
      try $0.table("class_Short").clusterRoot.require(0).values[0] = 8
    },
    .nodes("number in place of offsets", of: "strings", finds: .clusterOffsets, at: .table("class_Short", .objects)) {
      try $0.table("class_Short").clusterRoot.elements[0] = .tagged(5)
    },
    .nodes("keys that do not ascend", of: "strings", finds: .clusterKeys, at: .table("class_Short", .objects)) { tree in
      let cluster = try tree.table("class_Short").cluster(1)
      let count = cluster.tagged(0) ?? 0
      cluster.elements[0] = .child(.numbers([1, 0] + (2..<count), width: 8))
    },
    .nodes("keys of four bits", of: "dogs", finds: .clusterKeyWidth, at: .table("metadata", .objects)) {
      try $0.table("metadata").cluster().elements[0] = .child(.numbers([3], width: 4))
    },
    .nodes("key of the next cluster", of: "strings", finds: .clusterKeyRange, at: .table("class_Short", .objects)) {
      tree in
      let cluster = try tree.table("class_Short").cluster(0)
      let count = cluster.tagged(0) ?? 0
      cluster.elements[0] = .child(.numbers(Array(0..<count - 1) + [0x1_0100]))
    },
    .nodes("300 objects in a cluster", of: "dogs", finds: .clusterSize, at: .table("metadata", .objects)) {
      try $0.table("metadata").cluster().elements[0] = .tagged(300)
    },
    .nodes("empty cluster below a root", of: "strings", finds: .clusterEmpty, at: .table("class_Short", .objects)) {
      tree in
      let table = try tree.table("class_Short")
      let cluster = try table.cluster(1)
      let total = try table.clusterRoot.tagged(2) ?? 0
      try table.clusterRoot.elements[2] = .tagged(total - (cluster.tagged(0) ?? 0))
      cluster.elements[0] = .tagged(0)
      try table.leaf("s", cluster: 1).setFields([])
    },
    .nodes("column without a leaf", of: "dogs", finds: .clusterMissingLeaf, at: .value("class_Dog", "breed")) {
      let table = try $0.table("class_Dog")
      try table.cluster().elements[table.leafIndex("breed") + 1] = .raw(0)
    },
    .nodes("leaf of no column", of: "dogs", finds: .clusterDeadLeaf, at: .table("metadata", .objects)) {
      try $0.table("metadata").cluster().elements.append(.child(.numbers([0])))
    },
    .nodes("cluster that lost its number of objects", of: "person-v1", finds: .clusterRows, at: .table("class_Person"))
    {
      try $0.table("class_Person").cluster().elements[0] = .tagged(0)
    },
    .nodes("leaf of one value too few", of: "dogs", finds: .clusterRows, at: .value("class_Dog", "name")) {
      let leaf = try $0.table("class_Dog").leaf("name")
      leaf.setFields(leaf.fields.dropLast())
    },
    .nodes("leaf of backlinks of one too many", of: "dogs", finds: .clusterRows, at: .table("class_Toy", .objects)) {
      let table = try $0.table("class_Toy")
      try table.cluster().require(table.backlinkLeafIndexes[0] + 1).elements.append(.raw(0))
    },
    .nodes("clusters of four objects", of: "dogs", finds: .clusterTestBuild, severity: .note) { tree in
      let clusters = [4, 2].map { count in
        EditableNode.Element.child(.refs([.tagged(count), .child(.numbers(Array(repeating: 1, count: Int(count))))]))
      }
      try tree.table("metadata").top.elements[2] = .child(
        .refs([.raw(0), .tagged(1), .tagged(6)] + clusters, flags: 0xc0))
    },
    .nodes("negative object key", of: "dogs", finds: .objectKey, at: .table("metadata", .objects)) {
      try $0.table("metadata").cluster().elements[0] = .child(.numbers([-5], width: 64))
    },
    .nodes(
      "tombstone with the key of an object", of: "dogs", finds: .objectKey, .tombstoneUnlinked,
      at: .table("metadata", .tombstones)
    ) {
      let table = try $0.table("metadata")
      table.top.elements[13] = .child(try table.cluster().copy())
    },
    .nodes(
      "sequence that starts over", of: "all-types", finds: .objectSequence, at: .table("class_Embedded", .objects, 0)
    ) {
      try $0.table("class_Embedded").top.elements[9] = .tagged(0)
    },
    .nodes("collision map of two lists", of: "dogs", finds: .collisionShape, at: .table("class_Dog", .collisions)) {
      try $0.table("class_Dog").top.elements[10] = .child(.refs([.child(.numbers([1])), .child(.numbers([0]))]))
    },
    .nodes("collision map out of order", of: "dogs", finds: .collisionOrder, at: .table("class_Dog", .collisions)) {
      try $0.table("class_Dog").top.elements[10] = .child(
        .refs([.child(.numbers([5, 4])), .child(.numbers([0, 0])), .child(.numbers([0, 1]))]))
    },
    .nodes(
      "collision of an object that is gone", of: "dogs", finds: .collisionKey, at: .table("class_Dog", .collisions)
    ) {
      try $0.table("class_Dog").top.elements[10] = .child(
        .refs([.child(.numbers([5])), .child(.numbers([0])), .child(.numbers([999]))]))
    },
    .nodes(
      "tombstone that nothing links to", of: "corners", finds: .tombstoneUnlinked, .linkWithoutBacklink,
      at: .table("class_Hub", .tombstones)
    ) { tree in
      let table = try tree.table("class_Hub")
      for cluster in try table.clusters(tombstones: true) {
        for leafIndex in try table.backlinkLeafIndexes {
          let cells = try cluster.require(leafIndex + 1)
          cells.elements = cells.elements.map { _ in .raw(0) }
        }
      }
    },
  ]
}
