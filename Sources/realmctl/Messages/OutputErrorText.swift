import RealmStorage

extension Diagnostic {
  init(_ error: OutputError) {
    switch error {
    case .exists(let path):
      self.init(
        .failed, .fileExists, path: path, "the output exists",
        detail: "Failed to open file at path '\(path)': File exists", advice: "use --force to replace it")
    case .isInput(let path):
      self.init(
        .failed, .fileExists, path: path, "the output is the file that is read", advice: "choose another path")
    case .isDirectory(let path):
      self.init(
        .failed, .fileOperationFailed, path: path, "is a directory", advice: "name a file")
    case .notADirectory(let path):
      self.init(.failed, .fileExists, path: path, "is no folder", advice: "name a folder, there or not")
    case .folderMissing(let path):
      self.init(
        .failed, .fileNotFound, path: path, "the folder of the output does not exist",
        detail: "Failed to open file at path '\(path)': parent directory does not exist", advice: "create it first")
    case .systemCall(let path, let name, let errorNumber):
      self.init(SystemCallFailure(name: name, errorNumber: errorNumber), path: path)
    }
  }
}
