import Libc
import RealmStorage

/// A place on the globe, in degrees.
struct GeoPoint: Hashable, Sendable {
  var longitude: Double
  var latitude: Double
  var altitude: Double?

  /// As messages show it.
  var text: String {
    func number(_ value: Double) -> String { GeneralNumberText.text(of: value, digits: 6) }
    return "[\(number(longitude)), \(number(latitude))" + (altitude.map { ", " + number($0) } ?? "") + "]"
  }

  fileprivate var isOnGlobe: Bool { longitude.magnitude <= 180 && latitude.magnitude <= 90 }

  /// The direction from the center of the globe.
  fileprivate var direction: SIMD3<Double> {
    let (phi, theta) = (latitude * .pi / 180, longitude * .pi / 180)
    return SIMD3(cos(theta) * cos(phi), sin(theta) * cos(phi), sin(phi))
  }
}

/// A part of the globe in which objects are searched. Edges are arcs of great circles.
struct GeoRegion: Sendable {
  private enum Shape: Sendable {
    case cap(center: SIMD3<Double>, radius: Double)
    /// The first ring bounds the region, the others are holes; each has its inside on the left.
    case polygon([[SIMD3<Double>]])
  }

  private let shape: Shape

  /// - Parameter refuse: called with the reason why something is not a region, in the reference's words.
  init(circle center: GeoPoint, radius: Double, refusing refuse: (String) -> QueryError) throws(QueryError) {
    try Self.requireOnGlobe(center, refuse)
    guard radius >= 0 else { throw refuse("The radius of a circle must be a non-negative number") }
    shape = .cap(center: center.direction, radius: radius)
  }

  /// - Parameters:
  ///   - rings: closed: the last point of each is its first.
  ///   - refuse: as for a circle.
  init(polygon rings: [[GeoPoint]], refusing refuse: (String) -> QueryError) throws(QueryError) {
    var loops: [[SIMD3<Double>]] = []
    for (index, ring) in rings.enumerated() {
      for point in ring { try Self.requireOnGlobe(point, refuse) }
      guard let first = ring.first, let last = ring.last else { throw refuse("Ring has no vertices") }
      guard first == last else {
        throw refuse(
          "Ring is not closed, first vertex '\(first.text)' does not equal last vertex '\(last.text)'")
      }
      var vertices: [SIMD3<Double>] = []
      for vertex in ring.map(\.direction) where vertices.last != vertex { vertices.append(vertex) }
      vertices.removeLast()
      guard vertices.count >= 3 else {
        throw refuse(
          "Ring \(index) must have at least 3 different vertices, \(vertices.count) unique vertices were "
            + "provided")
      }
      loops.append(Self.turnedLeft(vertices))
      if index > 0, !loops[index].allSatisfy({ Self.contains(loops[0], $0) }) {
        throw refuse(
          "Secondary ring \(index) not contained by first exterior ring - secondary rings must be holes in the "
            + "first ring")
      }
    }
    guard !loops.isEmpty else { throw refuse("Polygon has no rings.") }
    shape = .polygon(loops)
  }

  private static func requireOnGlobe(_ point: GeoPoint, _ refuse: (String) -> QueryError) throws(QueryError) {
    guard !point.isOnGlobe else { return }
    func number(_ value: Double) -> String { GeneralNumberText.text(of: value, digits: 6) }
    throw refuse(
      "Longitude/latitude is out of bounds, lng: \(number(point.longitude)) lat: \(number(point.latitude))")
  }

  func contains(_ point: GeoPoint) -> Bool {
    guard point.latitude.magnitude <= 90, point.longitude.magnitude <= 180 else { return false }
    let direction = point.direction
    switch shape {
    case .cap(let center, let radius):
      guard radius < .pi else { return true }
      // Chords are compared: that is exact for small circles.
      let half = sin(min(radius, .pi) / 2)
      let chord = center - direction
      return (chord * chord).sum() <= 4 * half * half
    case .polygon(let loops):
      return Self.contains(loops[0], direction) && !loops.dropFirst().contains { Self.contains($0, direction) }
    }
  }

  // MARK: On the sphere

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x)
  }

  private static func dot(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Double { (a * b).sum() }

  /// The ring so that its inside, which is the smaller part of the globe, lies on the left.
  private static func turnedLeft(_ ring: [SIMD3<Double>]) -> [SIMD3<Double>] {
    var area = 0.0
    for index in 1..<ring.count - 1 {
      let (a, b, c) = (ring[0], ring[index], ring[index + 1])
      area += 2 * atan2(dot(a, cross(b, c)), 1 + dot(a, b) + dot(b, c) + dot(c, a))
    }
    var inside = area.truncatingRemainder(dividingBy: 4 * .pi)
    if inside < 0 { inside += 4 * .pi }
    return inside > 2 * .pi ? ring.reversed() : ring
  }

  /// Whether a ring contains a direction: the angles of its edges, seen from there, add up to a full turn.
  private static func contains(_ ring: [SIMD3<Double>], _ direction: SIMD3<Double>) -> Bool {
    var turn = 0.0
    for index in ring.indices {
      let a = cross(direction, ring[index])
      let b = cross(direction, ring[(index + 1) % ring.count])
      turn += atan2(dot(direction, cross(a, b)), dot(a, b))
    }
    return turn > .pi
  }
}

/// `GEOWITHIN`: objects whose links lead to points of a region.
final class GeoCondition: Condition, @unchecked Sendable {
  private let path: LinkPath
  private let region: GeoRegion
  private let quantifier: Quantifier
  private let typeProperty: Int
  private let coordinatesProperty: Int
  private let typeSlot: Int
  private let coordinatesSlot: Int

  /// - Parameters:
  ///   - type: the property that says that an object is a point.
  ///   - coordinates: that of its numbers.
  init(
    _ path: LinkPath, _ region: GeoRegion, _ quantifier: Quantifier, type: (property: Int, slot: Int),
    coordinates: (property: Int, slot: Int)
  ) {
    (self.path, self.region, self.quantifier) = (path, region, quantifier)
    (typeProperty, typeSlot) = type
    (coordinatesProperty, coordinatesSlot) = coordinates
  }

  override func rows(_ evaluator: Evaluator, _ batch: ObjectBatch, _ among: RowMask) -> RowMask {
    evaluator.rows(batch, among, path.label ?? "") { row in try holds(evaluator, batch, row) }
  }

  private func holds(_ evaluator: Evaluator, _ batch: ObjectBatch, _ row: Int) throws -> Bool {
    var isInside = false
    try path.forEachDistinctTarget(evaluator, batch, row) { key, _ in
      isInside = try point(key, evaluator).map(region.contains) ?? false
      return isInside == (quantifier == .all)
    }
    return isInside != (quantifier == Quantifier.none)
  }

  /// The place of an object; nil if it is not a point.
  private func point(_ key: ObjectKey, _ evaluator: Evaluator) throws -> GeoPoint? {
    let place = try path.object(key, evaluator)
    guard case .string(let type) = try evaluator.value(typeSlot, ofProperty: typeProperty, place.batch, place.row),
      type.count == 5, try type.copied().map({ $0 | 0x20 }) == Array("point".utf8),
      let list = try evaluator.value(coordinatesSlot, ofProperty: coordinatesProperty, place.batch, place.row).listView,
      try list.count(in: evaluator.snapshot) >= 2
    else { return nil }
    let numbers = try list.elements(at: 0..<2, in: evaluator.snapshot).map { element -> Double in
      switch element {
      case .value(.double(let number)): return number
      case .damaged(let error): throw error
      default: return .nan
      }
    }
    return GeoPoint(longitude: numbers[0], latitude: numbers[1])
  }

  override var explanation: String { "points of '\(path.text)'" }
}
