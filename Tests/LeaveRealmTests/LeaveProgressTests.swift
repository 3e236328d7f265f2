import RealmStorage
import TestSupport
import Testing

@testable import LeaveRealm

/// Checkpoints as text and back.
@Suite struct LeaveProgressTests {
  private static let state = String(repeating: "0f", count: 16)

  private static var sample: LeaveProgress {
    var progress = LeaveProgress(state: state)
    progress["Dog"].last = ObjectKey(rawValue: 41)
    progress["Dog"].readCount = 42
    progress["Dog"].add([LeaveSkip(key: ObjectKey(rawValue: 7), reason: "name: null, as \"ä:= %\"")])
    progress["a b:c%\u{e4}"].readCount = 0
    return progress
  }

  @Test("a checkpoint comes back from its text") func roundTrip() throws {
    var progress = Self.sample
    #expect(LeaveProgress(text: progress.text) == progress)
    #expect(progress.text.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7f })
    #expect(!LeaveCheckpoint.isFinished(progress.text))
    progress.isFinished = true
    #expect(LeaveProgress(text: progress.text) == progress)
    #expect(LeaveCheckpoint.isFinished(progress.text))
  }

  @Test("no other text is one") func others() {
    let text = Self.sample.text
    for other in [
      "", " ", "leave-realm-1", "leave-realm-2" + text.dropFirst(13), text + " ", text + " Dog:1:1:0",
      text + " A:1:0:0",
      text + " A::1:0", text + " A:1:1:2", text + " A:1:1:1:1", text + " A:1:1:0:1=x", text + " %4:1:1:0",
      text + " A:99999999999999999999:1:0", text + " A:1:1:0:", text.replacing("open", with: "Open"),
    ] { #expect(LeaveProgress(text: String(other)) == nil, "\(other)") }
    // Any byte that is changed gives a checkpoint or none.
    for index in text.utf8.indices {
      for byte in [UInt8(ascii: ":"), 0, UInt8(ascii: "9"), 0xff] {
        var bytes = Array(text.utf8)
        bytes[text.utf8.distance(from: text.utf8.startIndex, to: index)] = byte
        _ = LeaveProgress(text: String(decoding: bytes, as: UTF8.self))
      }
    }
  }

  @Test("the text stays small, whatever is skipped") func size() {
    var progress = LeaveProgress(state: Self.state)
    progress["Dog"].readCount = 100_000
    progress["Dog"].last = ObjectKey(rawValue: .max)
    for number in 0..<100_000 {
      progress["Dog"].add([
        LeaveSkip(key: ObjectKey(rawValue: Int64(number)), reason: String(repeating: "\u{10ffff}", count: 500))
      ])
    }
    #expect(progress["Dog"].skippedCount == 100_000)
    #expect(progress.text.utf8.count < 40_000)
    #expect(LeaveProgress(text: progress.text) == progress)
  }
}
