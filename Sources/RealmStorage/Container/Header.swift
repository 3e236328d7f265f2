/// The first 24 bytes of a realm, unverified (Docs/Format/1-container.md §1.1).
package struct RawHeader: Sendable {
  package static let size = 24
  /// `T-DB`
  static let mnemonic = Array("T-DB".utf8)
  /// The same as a little-endian number.
  package static let mnemonicNumber = mnemonic.reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }

  package let topRefs: (UInt64, UInt64)
  package let mnemonic: UInt32
  package let formats: (UInt8, UInt8)
  package let reserved: UInt8
  package let flags: UInt8

  /// - Throws: `StorageError.notARealm` if there are fewer bytes.
  package init(of store: ByteStore) throws {
    guard store.count > 0 else { throw StorageError.notARealm(.empty) }
    guard store.count >= Self.size else { throw StorageError.notARealm(.tooSmall(size: UInt64(store.count))) }
    self.init(UnsafeRawBufferPointer(start: try store.bytes(at: 0, length: Self.size), count: Self.size))
  }

  /// - Parameter bytes: `size` or more.
  init(_ bytes: UnsafeRawBufferPointer) {
    topRefs = (
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
      UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    )
    mnemonic = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 16, as: UInt32.self))
    formats = (bytes[20], bytes[21])
    (reserved, flags) = (bytes[22], bytes[23])
  }

  /// Whether slot 1 is the live one.
  package var selectsSecond: Bool { flags & 1 != 0 }
  /// The content of the live slot.
  package var format: UInt8 { selectsSecond ? formats.1 : formats.0 }
  package var topRef: UInt64 { selectsSecond ? topRefs.1 : topRefs.0 }
  package var otherFormat: UInt8 { selectsSecond ? formats.0 : formats.1 }
  package var otherTopRef: UInt64 { selectsSecond ? topRefs.0 : topRefs.1 }
  /// Whether the top ref is in a footer.
  package var isStreaming: Bool { !selectsSecond && topRefs.0 == Header.streamingSentinel }
}

/// The last 16 bytes of a realm as a copy is written (§1.2).
package struct RawFooter: Sendable {
  package let topRef: UInt64
  package let cookie: UInt64

  /// Nil if the file has no room for it.
  package init?(of store: ByteStore) throws {
    guard store.count >= RawHeader.size + Header.footerSize else { return nil }
    let footer = try store.bytes(at: UInt64(store.count - Header.footerSize), length: Header.footerSize)
    topRef = UInt64(littleEndian: footer.loadUnaligned(as: UInt64.self))
    cookie = UInt64(littleEndian: footer.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
  }
}

/// The validated head of a realm: which snapshot is the live one (Docs/Format/1-container.md §1.2–1.4).
package struct Header: Sendable, Equatable {
  /// Two shapes of a file.
  package enum Form: String, Sendable {
    /// As a commit leaves it: two slots for the top ref.
    case normal
    /// As a copy is written: the top ref in a footer.
    case streaming
  }

  /// Root of the live snapshot; null in a file without content.
  package let topRef: Ref
  /// The file format that goes with the live slot.
  package let format: UInt8
  package let form: Form

  /// The newest file format, which all new files have.
  package static let newestFormat: UInt8 = 24

  /// The file formats whose objects are rows (Docs/Format/4-file-versions.md §2).
  package static let legacyFormats: ClosedRange<UInt8> = 2...9

  package static let footerSize = 16
  /// Magic of the streaming footer.
  package static let footerCookie: UInt64 = 0x3034_1252_37E5_26C8
  /// Slot 0 of a streaming file.
  static let streamingSentinel = UInt64.max

  /// The header as it would be if a transaction ended now.
  init(intermediate top: Ref) { (topRef, format, form) = (top, Self.newestFormat, .normal) }

  /// - Throws: `StorageError.notARealm` if a check of §1.4 fails, in the order the engine makes them.
  package init(of store: ByteStore, wasDecrypted: Bool) throws {
    let raw = try RawHeader(of: store)
    let size = UInt64(store.count)
    guard size % 8 == 0 else {
      let hasMnemonic = raw.mnemonic == RawHeader.mnemonicNumber
      throw StorageError.notARealm(.oddSize(size: size, hasMnemonic: hasMnemonic))
    }
    guard raw.mnemonic == RawHeader.mnemonicNumber else {
      throw StorageError.notARealm(.wrongMnemonic(wasDecrypted: wasDecrypted))
    }
    (format, form) = (raw.format, raw.isStreaming ? .streaming : .normal)
    var top = raw.topRef
    if raw.isStreaming {
      guard let footer = try RawFooter(of: store) else { throw StorageError.notARealm(.streamingTooSmall(size: size)) }
      guard footer.cookie == Self.footerCookie else {
        throw StorageError.notARealm(.streamingFooter(cookie: footer.cookie))
      }
      top = footer.topRef
    }
    guard top % 8 == 0 else { throw StorageError.notARealm(.topRefUnaligned(topRef: top)) }
    guard top < size, top == 0 || top >= RawHeader.size else {
      throw StorageError.notARealm(.topRefOutside(size: size, topRef: top))
    }
    topRef = Ref(top)
  }

  /// Whether a file begins as a realm of formats 2 to 9, whatever else is damaged.
  package static func isLegacy(_ store: ByteStore) -> Bool {
    guard let raw = try? RawHeader(of: store) else { return false }
    return raw.mnemonic == RawHeader.mnemonicNumber && legacyFormats.contains(raw.format)
  }

  private init(topRef: Ref, format: UInt8, form: Form) {
    (self.topRef, self.format, self.form) = (topRef, format, form)
  }
}

/// Which of the snapshots in a file is read.
package enum SnapshotChoice: Hashable, Sendable {
  /// The newest that was committed.
  case live
  /// The one before it, which the other slot of the header still names. The next commits overwrite it.
  case previous
  /// One whose root is at a byte offset of the file; parts of it may have been overwritten.
  case at(topRef: UInt64)
}

extension Header {
  /// The header of another snapshot of the same file.
  ///
  /// - Throws: `StorageError.notARealm(.noSuchSnapshot)` if there can be none.
  func choosing(_ choice: SnapshotChoice, in store: ByteStore) throws -> Header {
    guard choice != .live else { return self }
    let raw = try RawHeader(of: store)
    let ref: UInt64
    switch choice {
    case .live: return self
    case .previous: ref = raw.otherTopRef
    case .at(let topRef): ref = topRef
    }
    let size = UInt64(store.count)
    guard ref % 8 == 0, ref >= RawHeader.size, ref < size else {
      throw StorageError.notARealm(.noSuchSnapshot(topRef: choice == .previous ? nil : ref))
    }
    let isOther = ref == raw.otherTopRef && form == .normal
    return Header(topRef: Ref(ref), format: isOther ? raw.otherFormat : format, form: form)
  }
}
