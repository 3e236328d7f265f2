import CCrypto
import Foundation
import TestSupport
import Testing

@testable import RealmStorage

#if os(Linux)
  /// What is in this process's memory. One after the other: reading all memory, as one of them does, makes pages
  /// resident that another one counts.
  @Suite(.serialized) struct ProcessMemoryTests {
    /// The key's bytes are computed, so that they are nowhere in memory but where the code under test puts them.
    @Test func `nothing of a key is left in memory when it is let go`() throws {
      let folder = try TemporaryFolder()
      let path = folder.path("key")
      let descriptor = open(path, O_WRONLY | O_CREAT, 0o600)
      for index in 0..<128 {
        var digit = UInt8(ascii: "a") + secretNibble(index) % 6
        #expect(write(descriptor, &digit, 1) == 1)
      }
      close(descriptor)
      let memory = try OwnMemory()
      do {
        let key = try EncryptionKey.read(file: path)
        let cipher = try #require(key.makeCipher())
        #expect(try memory.occurrences(count: 16) { secretByte($0) } > 0)
        withExtendedLifetime((key, cipher)) {}
      }
      #expect(try memory.occurrences(count: 16) { secretByte($0) } == 0)
      #expect(try memory.occurrences(count: 16) { secretByte(32 + $0) } == 0)
      #expect(try memory.occurrences(count: 16) { UInt8(ascii: "a") + secretNibble($0) % 6 } == 0)
    }

    /// The schedule of a cipher begins with the key.
    @Test func `what is derived from a key is in no core dump`() throws {
      let memory = try OwnMemory()
      let key = try (0..<64).map { secretByte(64 + $0) }.withUnsafeBytes { try EncryptionKey(rawBytes: $0) }
      let cipher = try #require(key.makeCipher())
      let page = [UInt8](repeating: 1, count: 4096)
      var (sealed, entry) = ([UInt8](repeating: 0, count: 4096), [UInt8](repeating: 0, count: 64))
      // Enough for the cipher to become one of libcrypto's own contexts.
      for _ in 0..<100 {
        let isDone = page.withUnsafeBytes { page in
          sealed.withUnsafeMutableBytes { sealed in
            entry.withUnsafeMutableBytes { entry in
              guard let page = page.baseAddress, let sealed = sealed.baseAddress, let entry = entry.baseAddress else {
                return false
              }
              return cipher.encrypt(page: 0, plaintext: page, entry: entry, ciphertext: sealed)
            }
          }
        }
        try #require(isDone)
      }
      let places = try memory.addresses(count: 16) { secretByte(64 + $0) }
      #expect(places.count > 2)
      let hidden = try hiddenRanges()
      for place in places { #expect(hidden.contains { $0.contains(place) }, "\(String(place, radix: 16))") }
      withExtendedLifetime((key, cipher)) {}
    }

    @Test func `a key is gone from the environment when it has been read`() throws {
      let name = "REALMCTL_KEY_OF_A_TEST"
      let text = (0..<64).map { _ in "a1" }.joined()
      try #require(setenv(name, text, 1) == 0)
      let place = try #require(getenv(name))
      let key = try EncryptionKey.read(environmentVariable: name)
      #expect(getenv(name) == nil)
      #expect((0..<text.utf8.count).allSatisfy { place[$0] == 0 })
      #expect(throws: StorageError.key(.variableNotSet(name))) { try EncryptionKey.read(environmentVariable: name) }
      withExtendedLifetime(key) {}
    }

    @Test func `released pages take no memory`() throws {
      let cache = try PageCache(NumberedPages(count: 1 << 30))
      let store = ByteStore(base: cache.base, count: cache.count, pages: cache) {}
      for page in 0..<5000 { _ = try store.bytes(at: UInt64(page * 4096), length: 4) }
      #expect(try pagesInMemory(from: store.base, count: store.count) >= 5000)
      store.releasePages()
      #expect(try pagesInMemory(from: store.base, count: store.count) == 0)
    }
  }

  /// Pages of a range that the kernel has in memory.
  private func pagesInMemory(from base: UnsafeRawPointer, count: Int) throws -> Int {
    var states = [UInt8](repeating: 0, count: count / Int(sysconf(Int32(_SC_PAGESIZE))))
    try #require(mincore(UnsafeMutableRawPointer(mutating: base), count, &states) == 0)
    return states.count { $0 & 1 != 0 }
  }

  private func secretNibble(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: (index &* 2_654_435_761) >> 7 & 15) }

  private func secretByte(_ index: Int) -> UInt8 {
    (secretNibble(index * 2) % 6 + 10) << 4 | (secretNibble(index * 2 + 1) % 6 + 10)
  }

  /// Ranges that core dumps leave out, as the kernel has them (proc_pid_smaps(5)).
  private func hiddenRanges() throws -> [Range<Int>] {
    var (ranges, current): ([Range<Int>], Range<Int>?) = ([], nil)
    for line in try OwnMemory.text(of: "/proc/self/smaps").split(separator: "\n") {
      let fields = line.split(separator: " ")
      if fields.first == "VmFlags:" {
        if let current, fields.contains("dd") { ranges.append(current) }
      } else if let bounds = fields.first?.split(separator: "-").compactMap({ Int($0, radix: 16) }), bounds.count == 2 {
        current = bounds[0]..<bounds[1]
      }
    }
    return ranges
  }

  /// This process's own writable memory, to be searched.
  private final class OwnMemory {
    private let needle: UnsafeMutableRawPointer
    private let window: UnsafeMutableRawPointer
    private static let windowSize = 1 << 20

    init() throws {
      needle = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 4096)
      window = UnsafeMutableRawPointer.allocate(byteCount: Self.windowSize, alignment: 4096)
    }

    deinit {
      needle.deallocate()
      window.deallocate()
    }

    /// How often bytes occur, apart from this object's own copies.
    func occurrences(count: Int, _ byte: (Int) -> UInt8) throws -> Int { try addresses(count: count, byte).count }

    /// Where they occur.
    func addresses(count: Int, _ byte: (Int) -> UInt8) throws -> [Int] {
      for index in 0..<count { needle.storeBytes(of: byte(index), toByteOffset: index, as: UInt8.self) }
      defer {
        ccrypto_wipe(needle, count)
        ccrypto_wipe(window, Self.windowSize)
      }
      let descriptor = open("/proc/self/mem", O_RDONLY)
      defer { close(descriptor) }
      var found: [Int] = []
      for range in try writableRanges() {
        var start = range.lowerBound
        while start < range.upperBound {
          let read = pread(descriptor, window, min(Self.windowSize, range.upperBound - start), off_t(start))
          guard read > 0 else {
            // Another test's thread has unmapped this page since; what follows may be there.
            start = (start / 4096 + 1) * 4096
            continue
          }
          found += hits(in: read, at: start, count)
          // There are fewer bytes before a page that another test's thread has unmapped since; reading continues after
          // it.
          start += read > count && read < Self.windowSize ? read - count + 1 : Self.windowSize - count
        }
      }
      return found
    }

    private func hits(in length: Int, at start: Int, _ count: Int) -> [Int] {
      var (found, position): ([Int], Int) = ([], 0)
      let first = Int32(needle.load(as: UInt8.self))
      while length - position >= count, let hit = memchr(window + position, first, length - position - count + 1) {
        position = window.distance(to: hit)
        if memcmp(hit, needle, count) == 0, !isOwn(start + position) { found.append(start + position) }
        position += 1
      }
      return found
    }

    private func isOwn(_ address: Int) -> Bool {
      (0..<4096).contains(address - Int(bitPattern: needle))
        || (0..<Self.windowSize).contains(address - Int(bitPattern: window))
    }

    /// All of a file that is read in pieces, regardless of its reported size.
    static func text(of path: String) throws -> String {
      let descriptor = open(path, O_RDONLY)
      try #require(descriptor >= 0)
      defer { close(descriptor) }
      var text: [UInt8] = []
      var piece = [UInt8](repeating: 0, count: 1 << 16)
      while case let count = read(descriptor, &piece, piece.count), count > 0 { text += piece[..<count] }
      return String(decoding: text, as: UTF8.self)
    }

    private func writableRanges() throws -> [Range<Int>] {
      try Self.text(of: "/proc/self/maps").split(separator: "\n").compactMap { line in
        let fields = line.split(separator: " ")
        let bounds = fields[0].split(separator: "-").compactMap { Int($0, radix: 16) }
        return fields[1].hasPrefix("rw") && bounds.count == 2 ? bounds[0]..<bounds[1] : nil
      }
    }
  }
#endif
