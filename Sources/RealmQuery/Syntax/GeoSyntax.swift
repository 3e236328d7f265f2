/// What `GEOWITHIN` has on its right.
package struct GeoRegionSyntax: Hashable, Sendable {
  package enum Shape: Hashable, Sendable {
    /// Two opposite corners.
    case box(GeoPointSyntax, GeoPointSyntax)
    /// The radius is in radians.
    case circle(center: GeoPointSyntax, radius: CoordinateSyntax)
    /// The outer boundary, then holes; at least one ring, each of at least one point. Whether they are closed is not
    /// checked.
    case polygon([[GeoPointSyntax]])
    /// `$n`.
    case argument(Int)
  }

  package var shape: Shape
  package var range: SourceRange
}

/// `[longitude, latitude]`, `[longitude, latitude, altitude]`.
package struct GeoPointSyntax: Hashable, Sendable {
  package var longitude: CoordinateSyntax
  package var latitude: CoordinateSyntax
  package var altitude: Double?
  package var range: SourceRange
}

/// A number of a region, or the place of one.
package struct CoordinateSyntax: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case number(Double)
    /// `$n`.
    case argument(Int)
  }

  package var kind: Kind
  package var range: SourceRange
}
