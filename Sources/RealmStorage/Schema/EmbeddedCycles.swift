/// The embedded classes that contain themselves, directly or through other embedded classes.
///
/// Time and memory grow only with the size of the schema, even in a damaged file: classes that are in no circle cost
/// one visit, and paths are collected only up to a megabyte.
struct EmbeddedCycles {
  /// For each class in a circle, in order, the shortest way from it back to itself: `Node.left.child`.
  private(set) var paths: [RealmString] = []

  private static let mostBytes = 1 << 20

  /// `classes` are the classes by name.
  init(among classes: [TableSchema]) {
    let graph = LinkGraph(classes)
    let groups = graph.connectedGroups()
    var byteCount = 0
    for start in graph.classes.indices where byteCount < Self.mostBytes {
      guard let path = graph.cycle(from: start, within: groups) else { continue }
      paths.append(path)
      byteCount += path.utf8.count
    }
  }
}

/// The embedded classes and the links among them.
private struct LinkGraph {
  let classes: [TableSchema]
  let links: [[(property: RealmString, target: Int)]]

  init(_ allClasses: [TableSchema]) {
    let classes = allClasses.filter { $0.kind == .embedded }
    // If several classes have the same name, a link points to the first one, which may not be the embedded one.
    let kinds = Dictionary(zip(allClasses.map(\.name), allClasses.map(\.kind)), uniquingKeysWith: { first, _ in first })
    let positions = Dictionary(zip(classes.map(\.name), classes.indices), uniquingKeysWith: { first, _ in first })
    self.classes = classes
    links = classes.map { table in
      table.properties.compactMap { property in
        guard property.type == .object, let name = property.target, kinds[name] == .embedded else { return nil }
        return positions[name].map { (property.name, $0) }
      }
    }
  }

  /// For each class, the group of classes that can reach each other and that it belongs to (Tarjan's algorithm, with
  /// its own stack instead of recursion).
  func connectedGroups() -> [Int] {
    var walk = GroupWalk(count: classes.count)
    for start in classes.indices where !walk.hasSeen(start) {
      walk.enter(start)
      while let (node, nextLink) = walk.current {
        guard nextLink < links[node].count else {
          walk.leave()
          continue
        }
        walk.follow(to: links[node][nextLink].target)
      }
    }
    return walk.groups
  }

  /// The shortest path from a class back to itself. Only classes of its own group can be on it.
  func cycle(from start: Int, within groups: [Int]) -> RealmString? {
    var steps = [Step(target: start, property: nil, origin: 0)]
    var seen: Set<Int> = []
    var next = 0
    while next < steps.count {
      for link in links[steps[next].target] where groups[link.target] == groups[start] && !seen.contains(link.target) {
        let step = Step(target: link.target, property: link.property, origin: next)
        if link.target == start { return path(to: step, among: steps) }
        seen.insert(link.target)
        steps.append(step)
      }
      next += 1
    }
    return nil
  }

  /// A class that a walk reached, with the property and the step before that led there.
  private struct Step {
    let target: Int
    let property: RealmString?
    let origin: Int
  }

  private func path(to last: Step, among steps: [Step]) -> RealmString {
    var names: [RealmString] = []
    var step = last
    while let property = step.property {
      names.append(property)
      step = steps[step.origin]
    }
    names.append(classes[step.target].displayName)
    return RealmString(utf8: Array(names.reversed().map(\.utf8).joined(separator: [UInt8(ascii: ".")])))
  }
}

/// The state of Tarjan's algorithm.
private struct GroupWalk {
  private(set) var groups: [Int]
  /// When a class was first seen, from 1; 0 if it was not.
  private var orders: [Int]
  /// The earliest class that is still open and that can be reached.
  private var lowest: [Int]
  private var isOpen: [Bool]
  private var open: [Int] = []
  /// The classes on the way, each with the number of its links that were followed.
  private var way: [(node: Int, nextLink: Int)] = []
  private var seenCount = 0

  init(count: Int) {
    groups = Array(repeating: 0, count: count)
    orders = groups
    lowest = groups
    isOpen = Array(repeating: false, count: count)
  }

  func hasSeen(_ node: Int) -> Bool { orders[node] != 0 }

  var current: (node: Int, nextLink: Int)? { way.last }

  mutating func enter(_ node: Int) {
    seenCount += 1
    orders[node] = seenCount
    lowest[node] = seenCount
    open.append(node)
    isOpen[node] = true
    way.append((node, 0))
  }

  mutating func follow(to target: Int) {
    guard let (node, nextLink) = way.popLast() else { return }
    way.append((node, nextLink + 1))
    if !hasSeen(target) {
      enter(target)
    } else if isOpen[target] {
      lowest[node] = min(lowest[node], orders[target])
    }
  }

  mutating func leave() {
    guard let (node, _) = way.popLast() else { return }
    if let origin = way.last?.node { lowest[origin] = min(lowest[origin], lowest[node]) }
    guard lowest[node] == orders[node] else { return }
    while let member = open.popLast() {
      isOpen[member] = false
      groups[member] = orders[node]
      if member == node { return }
    }
  }
}
