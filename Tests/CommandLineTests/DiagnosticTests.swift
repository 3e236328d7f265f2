import Foundation
import RealmStorage
import RealmText
import Testing

@testable import realmctl

@Suite struct DiagnosticTests {
  private let whole = Diagnostic(
    .failed, .invalidDatabase, path: "a.realm", "something is wrong", detail: "here", advice: "do that")

  @Test func manyReasonsHaveALineEach() {
    var diagnostic = Diagnostic(.schema, nil, path: "a", "too much", detail: "1; 2", advice: "stop")
    diagnostic.lines = (1...25).map { "reason \($0)" }
    #expect(diagnostic.text == "a: too much; stop")
    #expect(diagnostic.shownLines == (1...20).map { "reason \($0)" } + ["and 5 more"])
    #expect(diagnostic.json(.error).contains("1; 2"))
  }

  @Test func aLineNamesFileProblemPlaceAndAdvice() {
    #expect(whole.text == "a.realm: something is wrong (here); do that")
    #expect(Diagnostic(.usage, .invalidInput, "something is wrong").text == "something is wrong")
  }

  @Test func controlCharactersOfNamesAreNotObeyed() {
    let diagnostic = Diagnostic(.failed, .invalidDatabase, path: "a\n\u{1b}[2J\u{202e}b\tc", "x")
    #expect(diagnostic.text == "a\\n\\u{1b}[2J\\u{202e}b\\tc: x")
  }

  @Test func anErrorIsAnObjectOnOneLine() throws {
    #expect(
      whole.json(.error)
        == #"{"version":2,"error":{"code":"InvalidDatabase","exit":2,"message":"something is wrong","path":"a.realm","#
        + #""detail":"here","hint":"do that"}}"#)
  }

  @Test func `a result that the system does not let us read back is not called different`() throws {
    let files = DiagnosedFiles(source: "a.realm", output: "b.realm")
    for number in [ENOMEM, EMFILE] {
      let error = StorageError.file(.systemCall(name: "mmap", errorNumber: number))
      let faults: [any DiagnosticConvertible] = [
        CopyDifference(source: .null, copy: .null, .unreadable(error)), WrittenFault.unreadable(error),
      ]
      for fault in faults {
        let diagnostic = try #require(fault.diagnosis(of: files) as? Diagnostic)
        #expect(diagnostic.code == Diagnostic(error, path: "b.realm").code)
        #expect(diagnostic.problem != Diagnostic(unlike: "a.realm", path: "b.realm", detail: "").problem)
      }
    }
  }

  @Test func aWarningHasNoStatus() {
    let warning = Diagnostic(.done, .fileOperationFailed, "x")
    #expect(warning.json(.warning) == #"{"version":2,"warning":{"code":"FileOperationFailed","message":"x"}}"#)
  }

  @Test(arguments: ["a\"b", "a\\b", "a\nb", "\u{1}", "é😀"])
  func anyPathGivesValidJSON(path: String) throws {
    var diagnostic = whole
    diagnostic.path = path
    let object = try JSONSerialization.jsonObject(with: Data(diagnostic.json(.error).utf8)) as? [String: Any]
    #expect((object?["error"] as? [String: Any])?["path"] as? String == path)
  }

  @Test(arguments: [
    (
      OutputError.exists(path: "o"), ErrorCode.fileExists,
      "o: the output already exists; use --force to replace it"
    ),
    (.isInput(path: "o"), .fileExists, "o: the output is one of the inputs; choose another path"),
    (.isDirectory(path: "o"), .fileOperationFailed, "o: is a directory; name a file"),
    (
      .folderMissing(path: "no/o"), .fileNotFound,
      "no/o: the folder of the output does not exist; create it first"
    ),
    (
      .systemCall(path: "o", name: "open", errorNumber: EACCES), .filePermissionDenied,
      "o: this user cannot write to the folder; give this user write permission for the folder"
    ),
    (
      .systemCall(path: "o", name: "open", errorNumber: EPERM), .filePermissionDenied,
      "o: this process cannot write the file (Operation not permitted. Please use a path where your app has read-write permissions); "
        + "the file may be immutable, or protected while the device is locked"
    ),
    (
      .access(.systemCall(path: "o.lock", name: "open", errorNumber: EROFS)), .filePermissionDenied,
      "o.lock: the lock file cannot be used (Failed to open file at path 'o.lock': Read-only "
        + "file system); give this user write permission for the folder, or work on a copy"
    ),
    (
      .systemCall(path: "o", name: "write", errorNumber: ENOSPC), .outOfDiskSpace,
      "o: no space left (write: No space left on device); free some space"
    ),
  ])
  func everyOutputErrorHasItsSentence(error: OutputError, code: ErrorCode, text: String) {
    let diagnostic = Diagnostic(error)
    #expect(diagnostic.text == text)
    #expect(diagnostic.code == code)
    // A slip in the arguments, not something that failed.
    #expect(diagnostic.status == (error == .isInput(path: "o") ? .usage : .failed))
  }
}

extension DiagnosticTests {
  @Test func aFolderThatIsThereIsNotCalledMissing() {
    let diagnostic = Diagnostic(OutputError.folderMissing(path: "/dev/o"))
    #expect(diagnostic.text == "/dev/o: the folder takes no new files; choose another folder")
  }
}

@Suite struct TextTests {
  @Test(arguments: [
    ("opne", "open"), ("exprt", "export"), ("Persn", "Person"), ("person", "Person"), ("Xyz", nil), ("", nil),
    ("open", "open"),
  ])
  func aSlipOfTheFingerFindsItsName(typed: String, meant: String?) {
    #expect(Similarity.nearest(to: typed, among: ["open", "export", "Person"]) == meant)
  }

  @Test func everyStatusHasAMeaningAndALineInTheHelp() {
    for status in RunStatus.allCases {
      #expect(
        RunStatus.table(of: RunStatus.allCases).contains("\n  \(status.rawValue) ")
          || RunStatus.table(of: RunStatus.allCases).hasPrefix("  \(status.rawValue) "))
      #expect(RunStatus.table(of: RunStatus.allCases).contains(status.meaning))
    }
  }
}
