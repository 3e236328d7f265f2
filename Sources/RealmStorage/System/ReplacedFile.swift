/// The file that an output replaces: who may use it, and what else hangs on it.
struct ReplacedFile: Sendable {
  let identity: FileIdentity
  let access: FileAccess
  private let attributes: [(name: String, value: [UInt8])]

  /// - Parameter opening: `existing` where only somebody who may write the file may replace it: a file that is
  ///   protected from writing stays as it is, although a folder's owner could put another in its place.
  /// - Throws: `systemCall` where the file cannot be opened so.
  init(
    _ target: String, path: String, opening: OutputOpening = .reading, calls: any OutputCalls
  ) throws(OutputError) {
    do throws(SystemCallError) {
      let descriptor = try calls.opened(target, opening)
      defer { calls.close(descriptor) }
      identity = try calls.status(of: descriptor).identity
      access = try calls.access(of: descriptor)
      attributes = try Self.attributes(of: descriptor, calls)
    } catch {
      throw OutputError(path, error)
    }
  }

  private static func attributes(of descriptor: Int32, _ calls: any OutputCalls) throws(SystemCallError) -> [(
    String, [UInt8]
  )] {
    let names: [String]
    do throws(SystemCallError) { names = try calls.extendedAttributeNames(of: descriptor) } catch {
      guard error.isNotSupported else { throw error }
      return []
    }
    var attributes: [(String, [UInt8])] = []
    for name in names {
      do throws(SystemCallError) {
        attributes.append((name, try calls.extendedAttribute(name, of: descriptor)))
      } catch {
        guard isBestEffort(name) else { throw error }
      }
    }
    return attributes
  }

  /// Gives a new file the same owner, permissions and attributes.
  ///
  /// - Throws: `cannotKeepOwner`, `cannotKeepAttribute`, `systemCall`. A file that an app can no longer open would be
  ///   as bad as a lost one.
  func apply(to descriptor: Int32, path: String, calls: any OutputCalls) throws(OutputError) {
    do throws(SystemCallError) {
      let created = try calls.access(of: descriptor)
      if (created.owner, created.group) != (access.owner, access.group) {
        try calls.setOwner(of: descriptor, owner: access.owner, group: access.group)
      }
    } catch {
      guard error.name == "fchown" else { throw OutputError(path, error) }
      throw .cannotKeepOwner(path: path, owner: access.owner, group: access.group)
    }
    try removeInheritedLists(from: descriptor, path, calls)
    for attribute in attributes {
      do throws(SystemCallError) {
        try calls.setExtendedAttribute(attribute.name, of: descriptor, to: attribute.value)
      } catch {
        guard Self.isBestEffort(attribute.name) else {
          throw .cannotKeepAttribute(path: path, name: attribute.name, errorNumber: error.number)
        }
      }
    }
    // After the owner, whose change takes bits away, and after the list, to whose entries these bits give effect.
    do throws(SystemCallError) { try calls.setMode(of: descriptor, access.mode) } catch {
      throw OutputError(path, error)
    }
  }

  /// Takes away an access list that the new file has from its folder, and the old one did not have: it would let others in
  /// as soon as the file gets its permissions.
  private func removeInheritedLists(
    from descriptor: Int32, _ path: String, _ calls: any OutputCalls
  ) throws(OutputError) {
    let own = Set(attributes.map(\.name))
    do throws(SystemCallError) {
      for name in try calls.accessLists(of: descriptor) where !own.contains(name) {
        try calls.removeExtendedAttribute(name, of: descriptor)
      }
    } catch { throw OutputError(path, error) }
  }

  /// Attributes that the system gives to files itself, and lets only some programs change.
  private static func isBestEffort(_ name: String) -> Bool {
    ["security.", "trusted.", "com.apple."].contains { name.hasPrefix($0) }
  }
}
