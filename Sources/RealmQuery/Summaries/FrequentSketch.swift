import RealmStorage

/// The most frequent of any number of different values, about: Space-Saving (Metwally and others, 2005).
///
/// A value that occurs more often than one in `capacity` is among them for certain. Counts are too high by `error` at most.
struct FrequentSketch {
  struct Entry {
    let identity: DistinctValue
    let object: ObjectKey
    var count: Int
    /// Occurrences that may be those of other values.
    let error: Int
  }

  static let capacity = 4096

  /// A heap with the least frequent on top.
  private(set) var entries: [Entry] = []
  private var places: [DistinctValue: Int] = [:]

  mutating func add(_ identity: DistinctValue, _ object: ObjectKey) {
    if let place = places[identity] {
      entries[place].count += 1
      sink(place)
    } else if entries.count < Self.capacity {
      places[identity] = entries.count
      entries.append(Entry(identity: identity, object: object, count: 1, error: 0))
      rise(entries.count - 1)
    } else {
      let least = entries[0]
      places[least.identity] = nil
      places[identity] = 0
      entries[0] = Entry(identity: identity, object: object, count: least.count + 1, error: least.count)
      sink(0)
    }
  }

  private mutating func rise(_ start: Int) {
    var place = start
    while place > 0, entries[(place - 1) / 2].count > entries[place].count {
      exchange(place, (place - 1) / 2)
      place = (place - 1) / 2
    }
  }

  private mutating func sink(_ start: Int) {
    var place = start
    while true {
      var least = place
      for child in [2 * place + 1, 2 * place + 2]
      where child < entries.count && entries[child].count < entries[least].count {
        least = child
      }
      guard least != place else { return }
      exchange(place, least)
      place = least
    }
  }

  private mutating func exchange(_ left: Int, _ right: Int) {
    entries.swapAt(left, right)
    places[entries[left].identity] = left
    places[entries[right].identity] = right
  }
}
