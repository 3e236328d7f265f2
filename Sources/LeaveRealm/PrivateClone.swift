import Libc
import RealmStorage
import RealmSystem

/// A copy of a realm's bytes that nobody else can see: one state of it, whole. An encrypted realm stays encrypted.
///
/// The copy loses its name as soon as it is open, so that nothing is left when the process is killed afterwards; what one
/// that was killed before has left is removed by the next copy.
struct PrivateClone {
  /// The copy, under the path of the original.
  let realm: Realm
  /// Identifies the state, see `LeaveSource.state`.
  let state: String

  /// - Parameters:
  ///   - path: of the realm, which is only read: nothing is locked or created next to it.
  ///   - folder: where the copy is made, in a folder that only this user may enter; nil for the one for temporary files.
  /// - Throws: `StorageError` if the realm cannot be read; `OutputError.changedMeanwhile` if apps commit all the time, or
  ///   the copy cannot be written.
  init(of path: String, key: EncryptionKey?, in folder: String?) throws {
    self = try CloneFolder.use(in: folder) { try PrivateClone(of: path, key: key, in: $0) }
  }

  private init(of path: String, key: EncryptionKey?, in place: CloneFolder) throws {
    (realm, state) = try ConsistentReading(.path(path), key: key).run { bytes, head in
      let input = try InputFile(path: path)
      guard input.identity == bytes.identity else { throw OutputError.changedMeanwhile(path: path) }
      let output = try SafeOutput(
        at: place.path + "/" + Self.name, replacing: .never, inputs: [path], expectedByteCount: input.size,
        isDurable: false)
      let digest = try Self.copy(input, to: output, path)
      guard let name = output.temporaryPath else { throw OutputError.changedMeanwhile(path: path) }
      let copied = try ByteStore.open(.path(name), key: key)
      // Where the original has changed meanwhile, this attempt does not count.
      guard try copied.currentState() == head else { throw OutputError.changedMeanwhile(path: path) }
      return (try Realm(path, copied), LeaveSource.state(digest))
    }.get()
  }

  private static let name = "clone"
  private static let blockSize = 1 << 20

  /// - Returns: the digest of what was copied.
  private static func copy(_ input: InputFile, to output: SafeOutput, _ path: String) throws -> StreamDigest {
    let digest = StreamDigest()
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 16)
    defer { block.deallocate() }
    while output.byteCount < input.size {
      let count = try read(input, into: block, at: output.byteCount)
      // It has been cut off; what there is now is read in the next attempt.
      guard count > 0 else { throw OutputError.changedMeanwhile(path: path) }
      let bytes = UnsafeRawBufferPointer(rebasing: block[..<count])
      digest.add(bytes)
      try output.write(bytes)
    }
    return digest
  }

  private static func read(
    _ input: InputFile, into block: UnsafeMutableRawBufferPointer, at offset: UInt64
  ) throws -> Int {
    do throws(SystemCallError) {
      let rest = Int(clamping: min(UInt64(block.count), input.size - offset))
      return try input.read(into: UnsafeMutableRawBufferPointer(rebasing: block[..<rest]), at: offset)
    } catch { throw StorageError.file(error.problem) }
  }
}

/// A folder of this user for copies, in one that others may use as well. It is removed as soon as it is empty.
package final class CloneFolder {
  package let path: String
  private let calls = FileBackend.calls

  /// Runs `body`, again if a run that ended has removed the folder meanwhile.
  ///
  /// - Parameter folder: nil for the one of this process for temporary files.
  /// - Throws: `OutputError`; what `body` throws.
  package static func use<Result>(in folder: String?, _ body: (CloneFolder) throws -> Result) throws -> Result {
    var attempt = 1
    while true {
      do { return try body(CloneFolder(in: folder ?? temporaryFolder)) } catch OutputError.folderMissing
        where attempt < 5
      {
        attempt += 1
      }
    }
  }

  private init(in folder: String) throws(OutputError) {
    let base = folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
    for attempt in 0..<Self.mostAttempts {
      let path = base + "leave-realm-\(calls.userID)" + (attempt == 0 ? "" : "-\(attempt)")
      do throws(SystemCallError) { try calls.makeFolder(path, mode: 0o700) } catch {
        guard error.isExisting else { throw .systemCall(path: path, name: error.name, errorNumber: error.number) }
      }
      // A name that is taken may be somebody else's.
      guard Self.isPrivate(path, calls) else { continue }
      self.path = path
      return
    }
    throw .exists(path: base + "leave-realm-\(calls.userID)")
  }

  deinit { try? calls.removeFolder(path) }

  private static let mostAttempts = 100

  private static func isPrivate(_ path: String, _ calls: any OutputCalls) -> Bool {
    guard case .file(let identity)? = try? calls.kind(ofName: path), let status = try? calls.status(ofPath: path) else {
      return false
    }
    return status.identity == identity && status.kind == .directory && status.owner == calls.userID
      && status.mode & 0o077 == 0
  }
}

extension CloneFolder {
  /// Where temporary files of this process go.
  private static var temporaryFolder: String {
    guard let folder = "TMPDIR".withSystemPath({ getenv($0.pointer) }) else { return "/tmp" }
    var length = 0
    while folder[length] != 0 { length += 1 }
    return length == 0 ? "/tmp" : SystemText.text(of: UnsafeRawBufferPointer(start: folder, count: length))
  }
}
