import RealmStorage

/// The steps that sort, deduplicate and limit the objects that match, one after another.
enum ResultStep: Sendable {
  case sort([(key: OrderKey, isAscending: Bool)])
  case distinct([OrderKey])
  case limit(Int)
  /// An error that the reference reports only if there is something to sort.
  case failure(QueryError)
}

/// A path over to-one links to the value that objects are ordered by.
struct OrderKey: Sendable {
  let path: LinkPath
  let property: Int
  /// Of a dictionary.
  let key: RealmString?
  let slot: Int

  var hasLinks: Bool { !path.steps.isEmpty }

  /// Its text in `--explain`.
  var text: String {
    path.text(followedBy: path.target.schema.properties[property].name) + (key.map { "[\"\($0)\"]" } ?? "")
  }
}

extension Binder {
  /// Consecutive sorts become one, in which the last one has the highest priority.
  func steps(_ syntax: [OrderingSyntax]) throws -> [ResultStep] {
    var steps: [ResultStep] = []
    for step in syntax {
      do { try bind(step, into: &steps) } catch let error as QueryError {
        guard dialect == .reference, error.code == .invalidSortDescriptor else { throw error }
        steps.append(.failure(error))
      }
    }
    return steps
  }

  private func bind(_ step: OrderingSyntax, into steps: inout [ResultStep]) throws {
    switch step {
    case .sort(let keys, _):
      let bound = try keys.map { (key: try orderKey($0.path, "sort"), isAscending: $0.isAscending) }
      if case .sort(let earlier)? = steps.last {
        steps[steps.count - 1] = .sort(Self.unique(bound + earlier, by: \.key))
      } else {
        steps.append(.sort(Self.unique(bound, by: \.key)))
      }
    case .distinct(let paths, _):
      steps.append(.distinct(Self.unique(try paths.map { try orderKey($0, "distinct") }, by: \.self)))
    case .limit(.count(let count), _): steps.append(.limit(count))
    case .limit(.argument(let number, let range), _):
      guard case .value(.int(let count)) = try argument(number, range), count >= 0 else {
        throw QueryError(.invalidQueryArg, "The argument of LIMIT must be a number that is not negative", at: range)
      }
      steps.append(.limit(Int(clamping: count)))
    }
  }

  /// The first step of each key: once it has decided nothing, it never does.
  private static func unique<Step>(_ steps: [Step], by key: (Step) -> OrderKey) -> [Step] {
    var known: Set<String> = []
    return steps.filter { known.insert(key($0).text).inserted }
  }

  private func orderKey(_ syntax: PathSyntax, _ clause: String) throws -> OrderKey {
    var path = LinkPath(base: table)
    var current: (property: Int, key: RealmString?)?
    var isChain = true
    // The class of the next name: only links lead to one.
    var class_ = table
    for element in syntax.elements {
      guard let name = element.name else {
        throw QueryError(
          .invalidSortDescriptor, "Cannot \(clause) by an element of a collection", at: element.range)
      }
      if let last = current, class_.schema.properties[last.property].collection == .dictionary {
        current = (last.property, RealmString(name))
        continue
      }
      if let last = current {
        let property = class_.schema.properties[last.property]
        if property.type == .object, let target = snapshot.tables.first(where: { $0.schema.name == property.target }) {
          if property.collection == nil {
            path.steps.append(
              LinkPath.Step(
                kind: .link(last.property), source: class_, target: target,
                columnSlot: slots.column(class_, last.property),
                tableSlot: slots.table(target), name: "\(property.name)"))
          } else {
            isChain = false
          }
          class_ = target
        } else {
          isChain = false
        }
      }
      guard let index = class_.schema.properties.firstIndex(where: { $0.name == RealmString(name) }) else {
        throw QueryError(
          .invalidQuery,
          "No property '\(name)' found on object type '\(class_.schema.displayName)' specified in '\(clause)' clause",
          unknown: name, among: class_.schema.properties.map(\.name), at: element.range)
      }
      current = (index, nil)
    }
    guard let current else {
      throw QueryError(.invalidSortDescriptor, "Missing property", at: syntax.range)
    }
    if class_.schema.properties[current.property].collection != nil, current.key == nil {
      throw QueryError(
        .invalidSortDescriptor, "Cannot sort on a collection property", at: syntax.range,
        advice: SyntaxAdvice.takesSingleValues)
    }
    guard isChain else {
      throw QueryError(
        .invalidSortDescriptor, "All but last property must be a link", at: syntax.range,
        advice: SyntaxAdvice.takesSingleValues)
    }
    return OrderKey(
      path: path, property: current.property, key: current.key, slot: slots.column(class_, current.property))
  }
}
