import RealmStorage

extension Corruption.Reason {
  var advice: String {
    switch self {
    case .beyondEndOfFile:
      "it may have been cut off: copy it again from its source, use a backup, or save the rest with 'recover'"
    case .readFailed: "copy the file to another disk"
    default: "use a backup, or save the rest with 'recover'"
    }
  }
}
