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
    let whole = Self.sample.text
    #expect(whole.utf8.indices.allSatisfy { LeaveProgress(text: String(whole[..<$0])) == nil })
    let text = String(whole.dropLast(17))
    for other in [
      "", " ", "leave-realm-1", "leave-realm-2" + text.dropFirst(13), text + " ", text + " Dog:1:1:0",
      text + " A:1:0:0",
      text + " A::1:0", text + " A:1:1:2", text + " A:1:1:1:1", text + " A:1:1:0:1=x", text + " %4:1:1:0",
      text + " A:99999999999999999999:1:0", text + " A:1:1:0:", text.replacing("open", with: "Open"),
      // Fewer keys than objects, keys that no object has, skips that are not counted or come twice, other digits.
      text + " A:0:2:0", text + " A:-5:1:0", text + " A:1:1:1:2=x", text + " A:1:1:1:-1=x", text + " A:1:2:1",
      text + " A:1:2:2:1=x:1=y", text + " A:1:01:0", text + " A:1:+1:0", text + " A:1:9223372036854775807:0",
      text + " A:1:-9223372036854775808:0", text + " A:1:0:-9223372036854775808",
    ] {
      #expect(LeaveProgress(text: String(other)) == nil, "\(other)")
      #expect(LeaveProgress(text: other + " " + LeaveProgress.checksum(String(other))) == nil, "\(other)")
    }
    #expect(LeaveProgress(text: text + " " + LeaveProgress.checksum(text)) == Self.sample)
    // A byte that is changed is noticed.
    for index in 0..<whole.utf8.count {
      for byte in [UInt8(ascii: ":"), 0, UInt8(ascii: "9"), 0xff] {
        var bytes = Array(whole.utf8)
        guard bytes[index] != byte else { continue }
        bytes[index] = byte
        #expect(LeaveProgress(text: String(decoding: bytes, as: UTF8.self)) == nil)
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
