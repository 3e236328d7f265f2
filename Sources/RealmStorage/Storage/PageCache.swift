/// Placeholder until the paged backend stands.
final class PageCache: @unchecked Sendable {
  func require(from offset: Int, length: Int) throws {}
}
