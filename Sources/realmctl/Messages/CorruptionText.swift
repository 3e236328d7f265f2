import RealmStorage

extension Corruption.Reason {
  /// The reason as the end of the sentence "the file is damaged: …".
  var text: String {
    switch self {
    case .misplacedRef: "a reference is no multiple of 8, or leads into the file header"
    case .beyondEndOfFile: "a reference leads beyond the end of the file"
    case .missingNode: "a node that must exist is missing"
    case .unexpectedNodeKind(let expected): "this is not \(expected)"
    case .wrongElementCount(let expected, let found): "a node has \(found) elements instead of \(expected)"
    case .tooManyElements(let count): "a node claims \(count) elements, more than fit"
    case .badWidth(let width): "a node has elements of width \(width), which its kind does not allow"
    case .indexOutOfRange(let index, let count): "element \(index) is missing from a node with \(count) elements"
    case .valueOutOfRange(let what): "bad value: \(what)"
    case .offsetsNotAscending: "the offsets in a node do not ascend"
    case .tooDeep: "a tree is deeper than any realm's"
    case .visitedTooOften: "references lead in circles"
    case .unknownType(let type): "type \(type) is unknown"
    case .danglingLink(let key): "a link leads to object \(key), which does not exist"
    case .unreadablePage(let index): "encrypted page \(index) was altered, cut off or never written"
    case .readFailed(let errorNumber): "the disk cannot be read here: \(SystemCallFailure.text(errorNumber))"
    case .badTable(let what): what
    }
  }

  var advice: String {
    switch self {
    case .beyondEndOfFile: "it may have been cut off: copy it again from its source, or use a backup"
    case .readFailed: "copy the file to another disk"
    default: "use a backup"
    }
  }
}
