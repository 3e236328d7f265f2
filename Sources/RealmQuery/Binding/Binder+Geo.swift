import RealmStorage

extension Binder {
  func condition(_ syntax: GeoWithinSyntax) throws -> Condition {
    let path = try bindPath(syntax.property.path, quantifier: syntax.property.quantifier)
    let left = try operand(path, syntax.property)
    guard let link = left as? LinkOperand else {
      throw QueryError(
        .invalidQuery,
        "The left hand side of 'geoWithin' must be a link to geoJSON formatted data. But the provided type is "
          + "'\(left.type.name)'", at: syntax.property.range)
    }
    let region = try self.region(syntax.region)
    let target = link.path.target.schema
    let type = target.properties.firstIndex { $0.name == "type" }
    let coordinates = target.properties.firstIndex { $0.name == "coordinates" }
    guard let type, let coordinates, target.properties[type].type == .string, target.properties[type].collection == nil,
      target.properties[coordinates].type == .double, target.properties[coordinates].collection == .list
    else {
      throw QueryError(
        .invalidQuery,
        "Query '\(link.text) GEOWITHIN \(region.text)' links to data in the wrong format for a geoWithin query",
        at: syntax.property.range)
    }
    guard target.kind == .embedded else {
      throw QueryError(
        .invalidQuery,
        "A GEOWITHIN query can only operate on a link to an embedded class but '\(target.displayName)' is at the top "
          + "level", at: syntax.property.range)
    }
    return GeoCondition(
      link.path, region.region, link.quantifier ?? .any, type: (type, slots.column(link.path.target, type)),
      coordinates: (coordinates, slots.column(link.path.target, coordinates)))
  }

  private func region(_ syntax: GeoRegionSyntax) throws -> (region: GeoRegion, text: String) {
    switch syntax.shape {
    case .argument(let number): return try regionArgument(number, syntax.range)
    case .circle(let center, let radius):
      let (center, radius) = (try point(center), try coordinate(radius))
      let text = "GeoCircle(\(center.text), \(GeneralNumberText.text(of: radius, digits: 6)))"
      return (try GeoRegion(circle: center, radius: radius) { invalid($0, text, syntax) }, text)
    case .box(let first, let second):
      let (low, high) = (try point(first), try point(second))
      let ring = [
        low, GeoPoint(longitude: low.longitude, latitude: high.latitude), high,
        GeoPoint(longitude: high.longitude, latitude: low.latitude), low,
      ]
      return try polygon([ring], syntax)
    case .polygon(let rings): return try polygon(try rings.map { try $0.map(point) }, syntax)
    }
  }

  private func polygon(
    _ rings: [[GeoPoint]], _ syntax: GeoRegionSyntax
  ) throws -> (region: GeoRegion, text: String) {
    let text =
      "GeoPolygon("
      + rings.map { "{" + $0.map(\.text).joined(separator: ", ") + "}" }.joined(separator: ", ") + ")"
    return (try GeoRegion(polygon: rings) { invalid($0, text, syntax) }, text)
  }

  private func invalid(_ reason: String, _ text: String, _ syntax: GeoRegionSyntax) -> QueryError {
    QueryError(
      .invalidQueryArg, "Invalid region in GEOWITHIN query for parameter '\(text)': '\(reason)'", at: syntax.range)
  }

  /// An argument may contain a region as text.
  private func regionArgument(_ number: Int, _ range: SourceRange) throws -> (region: GeoRegion, text: String) {
    guard case .value(.string(let text)) = try argument(number, range) else {
      let type: String
      switch try argument(number, range) {
      case .value(.null): type = "unknown"
      case .value(let value): type = typeName(of: value)
      default: type = "link"
      }
      throw QueryError(
        .invalidQuery,
        "The right hand side of 'geoWithin' must be a geospatial constant value. But the provided type is '\(type)'",
        at: range)
    }
    let syntax: GeoRegionSyntax
    do {
      syntax = try RQL.parseRegion(String(decoding: text.utf8, as: UTF8.self), dialect: dialect)
    } catch {
      throw QueryError(
        .invalidQuery,
        "Invalid syntax in serialized geospatial object at argument \(number): '\(error.message)'", at: range)
    }
    if case .argument = syntax.shape {
      throw QueryError(
        .invalidQuery, "Invalid syntax in serialized geospatial object at argument \(number): '\(text)'", at: range)
    }
    return try region(GeoRegionSyntax(shape: syntax.shape, range: range))
  }

  private func point(_ syntax: GeoPointSyntax) throws -> GeoPoint {
    GeoPoint(
      longitude: try coordinate(syntax.longitude), latitude: try coordinate(syntax.latitude), altitude: syntax.altitude)
  }

  private func coordinate(_ syntax: CoordinateSyntax) throws -> Double {
    switch syntax.kind {
    case .number(let number): return number
    case .argument(let number):
      let name = "$\(number)"
      switch try argument(number, syntax.range) {
      case .value(.null):
        throw QueryError(
          .invalidQuery, "NULL cannot be used in coordinate at argument '\(name)'", at: syntax.range)
      case .list:
        throw QueryError(
          .invalidQuery, "A list cannot be used in a coordinate at argument '\(name)'", at: syntax.range)
      case .value(.int(let value)): return Double(value)
      case .value(.double(let value)): return value
      case .value(.float(let value)): return Double(value)
      case .value(let value):
        throw QueryError(
          .invalidQuery, "Invalid parameter '\(typeName(of: value))' used in coordinate at argument '\(name)'",
          at: syntax.range)
      default:
        throw QueryError(
          .invalidQuery, "Invalid parameter 'link' used in coordinate at argument '\(name)'", at: syntax.range)
      }
    }
  }
}
