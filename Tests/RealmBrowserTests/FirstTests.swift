import Foundation
import RealmStorage
import TestSupport
import Testing

@testable import RealmBrowser

@Test func `try`() throws {
  let env = ProcessInfo.processInfo.environment
  guard let f = env["F"] else { return }
  let key = f.contains("encrypted") ? try Fixture.engineKey.withUnsafeBytes { try EncryptionKey(rawBytes: $0) } : nil
  let d = try Driver(
    f.hasPrefix("/") ? f : Fixture.path(f), key: key, columns: Int(env["C"] ?? "80")!, rows: Int(env["R"] ?? "24")!,
    isASCII: env["A"] != nil)
  func show() { print("┌" + String(repeating: "─", count: d.screen.size.columns)); for l in d.lines { print("│" + l) } }
  let names: [String: Key] = [
    "ENTER": .enter, "ESC": .escape, "BS": .backspace, "TAB": .tab, "UP": .up, "DOWN": .down, "LEFT": .left,
    "RIGHT": .right, "PGDN": .pageDown, "PGUP": .pageUp, "SPACE": .character(" "),
  ]
  show()
  for word in (env["K"] ?? "").split(separator: " ") {
    if word == "SHOW" { show(); continue }
    if let k = names[String(word)] { d.press(k) } else { d.type(String(word)) }
  }
  show()
}
