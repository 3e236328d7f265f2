/// The places of an encrypted realm's pages in the file (Docs/Format/1-container.md §7.2, §7.3).
///
/// ```
/// file page:   0        1 … 64      65        66 … 129
///              IV blk 0 data 0..63  IV blk 1  data 64..127
/// ```
package enum EncryptionLayout {
  package static let pageSize: UInt64 = 4096
  static let pagesPerBlock: UInt64 = 64
  /// The smallest encrypted file: one block of counters and one page.
  package static let minimumFileSize: UInt64 = 8192

  /// Plaintext pages in a file of this size. A last page that is cut off counts; reading it is an error.
  static func pageCount(physicalSize size: UInt64) -> UInt64 {
    let blocks = (size / pageSize + pagesPerBlock) / (pagesPerBlock + 1)
    let plaintext = size - blocks * pageSize
    return plaintext / pageSize + (plaintext % pageSize == 0 ? 0 : 1)
  }

  /// File offset of a page's ciphertext.
  static func dataOffset(ofPage page: UInt64) -> UInt64 { (page + page / pagesPerBlock + 1) * pageSize }

  /// File offset of a page's entry in its block of counters.
  static func entryOffset(ofPage page: UInt64) -> UInt64 {
    page / pagesPerBlock * (pagesPerBlock + 1) * pageSize + page % pagesPerBlock * UInt64(PageEntry.size)
  }

  /// File size of an encrypted realm with this many plaintext pages as a copy writes it: no empty block at the end.
  static func physicalSize(ofPages pages: UInt64) -> UInt64 {
    (pages + (pages + pagesPerBlock - 1) / pagesPerBlock) * pageSize
  }

  /// File size of an encrypted copy that has `size` bytes unencrypted.
  package static func fileSize(ofRealm size: UInt64) -> UInt64 {
    physicalSize(ofPages: (size + pageSize - 1) / pageSize)
  }
}

/// One page's entry in a block of counters: counter and authentication code of the last write, and of the write before
/// it, which still match if a write was interrupted (Docs/Format/1-container.md §7.1).
enum PageEntry {
  static let size = 64
  /// Byte offsets in the entry.
  static let counter = 0
  static let code = 4
  static let previousCounter = 32
  static let previousCode = 36
  static let codeSize = 28
}
