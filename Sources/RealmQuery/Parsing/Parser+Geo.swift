import RealmStorage

/// What `GEOWITHIN` has on its right.
extension Parser {
  mutating func parseRegion() throws(QueryError) -> GeoRegionSyntax {
    let start = token.range
    switch token.kind {
    case .geoBox:
      try advance()
      try expect(.leftParenthesis)
      let first = try parsePoint()
      try expect(.comma)
      let second = try parsePoint()
      let end = try expect(.rightParenthesis).range
      return GeoRegionSyntax(shape: .box(first, second), range: start.joined(with: end))
    case .geoCircle:
      try advance()
      try expect(.leftParenthesis)
      let center = try parsePoint()
      try expect(.comma)
      let radius = try parseCoordinate()
      let end = try expect(.rightParenthesis).range
      return GeoRegionSyntax(shape: .circle(center: center, radius: radius), range: start.joined(with: end))
    case .geoPolygon:
      try advance()
      try expect(.leftParenthesis)
      var rings: [[GeoPointSyntax]] = []
      repeat { rings.append(try parseRing()) } while try take(.comma)
      let end = try expect(.rightParenthesis, [.rightParenthesis, .comma]).range
      return GeoRegionSyntax(shape: .polygon(rings), range: start.joined(with: end))
    case .argument:
      let range = try advance().range
      return GeoRegionSyntax(
        shape: .argument(literals.index(SourceRange(range.start + 1, range.end))), range: range)
    default: throw unexpected([.geoBox, .geoPolygon, .geoCircle, .argument])
    }
  }

  private mutating func parseRing() throws(QueryError) -> [GeoPointSyntax] {
    try expect(.leftBrace)
    var points: [GeoPointSyntax] = []
    repeat { points.append(try parsePoint()) } while try take(.comma)
    try expect(.rightBrace, [.comma, .rightBrace])
    return points
  }

  private mutating func parsePoint() throws(QueryError) -> GeoPointSyntax {
    let start = try expect(.leftBracket).range
    let longitude = try parseCoordinate()
    try expect(.comma)
    let latitude = try parseCoordinate()
    var altitude: Double?
    var expected: [TokenKind] = [.comma, .rightBracket]
    if try take(.comma) {
      guard token.kind == .float else { throw unexpected([.float]) }
      altitude = try literals.coordinate(token)
      try advance()
      expected = [.rightBracket]
    }
    let end = try expect(.rightBracket, expected).range
    return GeoPointSyntax(
      longitude: longitude, latitude: latitude, altitude: altitude, range: start.joined(with: end))
  }

  private mutating func parseCoordinate() throws(QueryError) -> CoordinateSyntax {
    let range = token.range
    let kind: CoordinateSyntax.Kind
    switch token.kind {
    case .natural, .float: kind = .number(try literals.coordinate(token))
    case .argument: kind = .argument(literals.index(SourceRange(range.start + 1, range.end)))
    default: throw unexpected([.natural, .float, .argument])
    }
    try advance()
    return CoordinateSyntax(kind: kind, range: range)
  }
}
