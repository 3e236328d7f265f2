/// The reference engine's names of errors, which `--json` reports; users know them from the SDKs.
enum ErrorCode: String, Sendable {
  case fileNotFound = "FileNotFound"
  case filePermissionDenied = "FilePermissionDenied"
  case alreadyOpen = "AlreadyOpen"
  case fileExists = "FileExists"
  case fileOperationFailed = "FileOperationFailed"
  case outOfDiskSpace = "OutOfDiskSpace"
  case outOfMemory = "OutOfMemory"
  case invalidDatabase = "InvalidDatabase"
  case invalidEncryptionKey = "InvalidEncryptionKey"
  case unsupportedFileFormatVersion = "UnsupportedFileFormatVersion"
  case fileFormatUpgradeRequired = "FileFormatUpgradeRequired"
  case noSuchTable = "NoSuchTable"
  case malformedJSON = "MalformedJson"
  case schemaValidationFailed = "SchemaValidationFailed"
  case notSupported = "NotSupported"
  case invalidInput = "InvalidInput"
}
