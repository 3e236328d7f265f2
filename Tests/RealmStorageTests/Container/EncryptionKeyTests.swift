import CCrypto
import Foundation
import TestSupport
import Testing

@testable import RealmStorage
@testable import RealmSystem

private let raw = Fixture.engineKey
private let hexText = raw.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
private let base64Text = Data(raw).base64EncodedString()
private let highBytes = (0..<64).map { UInt8(255 - $0 * 3) }

private func bytes(_ key: EncryptionKey) -> [UInt8] { key.withBytes(Array.init) }

private func parse(_ text: String) throws -> [UInt8] {
  try Array(text.utf8).withUnsafeBytes { bytes(try EncryptionKey.parse(text: $0)) }
}

private func wrapped(_ text: String, _ width: Int, _ separator: String) -> String {
  stride(from: 0, to: text.count, by: width).map { String(text.dropFirst($0).prefix(width)) }.joined(
    separator: separator)
}

@Test(arguments: [
  hexText, hexText.uppercased(), "  \n\t" + hexText + "\r\n", wrapped(hexText, 60, "\n"), wrapped(hexText, 2, " "),
  base64Text, String(base64Text.dropLast(2)), base64Text + "\n", wrapped(base64Text, 76, "\n"),
  raw.description, raw.map { Int8(bitPattern: $0) }.description,
  "[" + raw.map { "\n  \($0)" }.joined(separator: ",") + "\n]\n",
])
private func `a key is read from each of its text forms`(text: String) throws { #expect(try parse(text) == raw) }

private let pairs = raw.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }

/// As programs print keys and people paste them.
@Test(
  arguments: [
    ("0x" + hexText, KeyForm.hexDigits), ("0X" + hexText.uppercased(), .hexDigits),
    ("0x" + wrapped(hexText, 32, "\n"), .hexDigits), (pairs.joined(separator: ":"), .hexDigits),
    (pairs.joined(separator: "-").uppercased(), .hexDigits),
    (wrapped(pairs.joined(separator: ":"), 45, "\n"), .hexDigits),
    ("<" + wrapped(hexText, 8, " ") + ">", .hexDigits), ("\"" + hexText + "\"\n", .hexDigits),
    ("'" + base64Text + "'", .base64), ("\u{feff}" + base64Text, .base64),
    (raw.map { "\($0)" }.joined(separator: ","), .numbers), (raw.map { "\($0)" }.joined(separator: ", \n"), .numbers),
    ("{ " + pairs.map { "0x" + $0 }.joined(separator: ", ") + " }", .numbers),
    ("[" + pairs.map { "0x" + $0 }.joined(separator: ",") + "]", .numbers),
    (pairs.joined(separator: ", "), .numbers), ("(" + raw.map { "\($0)" }.joined(separator: ",") + ")", .numbers),
    ("\"" + raw.description + "\"", .numbers),
    // In code, a comma may follow the last one.
    ("{\n" + pairs.map { "0x" + $0 + ",\n" }.joined() + "}", .numbers),
    (raw.map { "\($0)," }.joined(), .numbers),
  ] as [(String, KeyForm)])
private func `a key is read as programs write it`(text: String, form: KeyForm) throws {
  let key = try Array(text.utf8).withUnsafeBytes { try EncryptionKey.parse(text: $0) }
  #expect(bytes(key) == raw)
  #expect(key.form == form)
  // As editors and shells on Windows save it.
  for encoding in [String.Encoding.utf16LittleEndian, .utf16BigEndian] {
    let wide = try #require(("\u{feff}" + text.filter { $0 != "\u{feff}" }).data(using: encoding))
    #expect(try [UInt8](wide).withUnsafeBytes { bytes(try EncryptionKey.parse(fileContent: $0)) } == raw)
  }
}

@Test func `bytes above 127 may be signed or unsigned, and Base64 of either alphabet`() throws {
  let base64 = Data(highBytes).base64EncodedString()
  #expect(try parse(highBytes.description) == highBytes)
  #expect(try parse(highBytes.map { Int8(bitPattern: $0) }.description) == highBytes)
  #expect(try parse(base64) == highBytes)
  let otherAlphabet = base64.replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
  #expect(base64 != otherAlphabet)
  #expect(try parse(otherAlphabet) == highBytes)
}

@Test(
  arguments: [
    ("", .wrongLength(0)), (" \n", .wrongLength(0)),
    (String(hexText.dropLast(2)), .wrongLength(63, readAs: "hex digits")),
    (hexText + "00", .wrongLength(65, readAs: "hex digits")),
    (String(hexText.prefix(64)), .wrongLength(32, readAs: "hex digits")),
    (String(hexText.dropLast()), .malformed),
    (Data(raw.dropLast()).base64EncodedString(), .wrongLength(63, readAs: "Base64")),
    (Data(raw + [0]).base64EncodedString(), .wrongLength(65, readAs: "Base64")),
    ("a very secret password!", .malformed),
    ("pass", .wrongLength(3, readAs: "Base64")), (base64Text + "=", .malformed), ("=" + base64Text, .malformed),
    (base64Text.replacingOccurrences(of: "==", with: "="), .malformed), ("A", .malformed), ("g", .malformed),
    ("[]", .malformed), ("[1]", .wrongLength(1, readAs: "numbers")),
    ([UInt8](repeating: 1, count: 65).description, .wrongLength(65, readAs: "numbers")),
    ("[1, 2", .malformed), ("[1, ]", .wrongLength(1, readAs: "numbers")), ("[,1]", .malformed), ("[1,,]", .malformed),
    ("[256]", .malformed), ("[-129]", .malformed), ("[1.0]", .malformed),
    ("[01]", .malformed), ("[+1]", .malformed), ("[- 1]", .malformed), ("[1] x", .malformed), ("[\"1\"]", .malformed),
    ("[99999999999999999999]", .malformed), ("[", .malformed), ("schlüssel", .malformed),
    ("0x" + String(hexText.prefix(64)), .wrongLength(32, readAs: "hex digits")),
    ("<" + String(hexText.prefix(64)) + ">", .wrongLength(32, readAs: "hex digits")),
    (pairs.prefix(32).joined(separator: ":"), .wrongLength(32, readAs: "hex digits")),
    ("1,2,", .wrongLength(2, readAs: "numbers")),
    ("1,0x100", .malformed),
    ("0x1,zz", .malformed), ("<1,2>", .malformed), ("aa:b", .malformed), ("\"", .malformed), ("0x", .malformed),
  ] as [(String, KeyProblem)])
func `a text that is no key is told`(text: String, problem: KeyProblem) {
  #expect(throws: StorageError.key(problem)) { try parse(text) }
}

@Test func `a file of 64 bytes is the key itself, whatever it looks like`() throws {
  let folder = try TemporaryFolder()
  let looksLikeHex = Array(hexText.prefix(64).utf8)
  #expect(bytes(try .read(file: try folder.write("raw", raw))) == raw)
  let ascii = try EncryptionKey.read(file: try folder.write("ascii", looksLikeHex))
  #expect(bytes(ascii) == looksLikeHex)
  #expect(ascii.form == .bytes(areHexDigits: true))
  #expect(try EncryptionKey.read(file: folder.path("raw")).form == .bytes(areHexDigits: false))
  #expect(bytes(try .read(file: try folder.write("hex", Array((hexText + "\n").utf8)))) == raw)
  #expect(bytes(try .read(file: try folder.write("base64", Array(base64Text.utf8)))) == raw)
}

@Test func `a key's file that is none is told`() throws {
  let folder = try TemporaryFolder()
  func failure(_ path: String) -> StorageError? {
    #expect(throws: StorageError.self) { try EncryptionKey.read(file: path) }
  }
  #expect(failure(folder.path("no")) == .file(.missing))
  #expect(failure(folder.path) == .file(.isDirectory))
  #expect(failure(try folder.write("empty", [])) == .key(.wrongLength(0)))
  #expect(failure(try folder.write("newline", raw + [10])) == .key(.wrongLength(65)))
  #expect(failure(try folder.write("large", [UInt8](repeating: 65, count: 1 << 20))) == .key(.malformed))
  #expect(failure("/dev/zero") == .key(.malformed))
}

@Test func `a key may come through a pipe`() throws {
  let pipe = Pipe()
  try pipe.fileHandleForWriting.write(contentsOf: Data(base64Text.utf8))
  try pipe.fileHandleForWriting.close()
  #expect(bytes(try .read(file: "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)")) == raw)
}

@Test func `a key's file is read through interruptions, and its errors are told`() throws {
  let folder = try TemporaryFolder()
  let path = try folder.write("key", raw)
  for fault in [FaultyCalls.Fault.interruption, .shortRead] {
    for call in 2...4 { #expect(bytes(try .read(file: path, calls: FaultyCalls(fault, atCall: call))) == raw) }
  }
  for call in 1...3 {
    let calls = FaultyCalls(.inputOutputError, atCall: call)
    #expect(throws: StorageError.self) { try EncryptionKey.read(file: path, calls: calls) }
    #expect(calls.openDescriptors == 0)
  }
}

@Test(
  arguments: [
    (hexText, .init(status: 0, output: "1048576\n")),
    ("nonsense!", .init(status: 1, output: "Encryption key must be 64 bytes (got 9)\n")),
    (nil, .init(status: 1, output: "the environment variable PROBE_KEY is not set\n")),
  ] as [(String?, ChildProcess.Ending)])
func `a key may come from the environment`(value: String?, ending: ChildProcess.Ending) throws {
  try leavingUntouched(Fixture.path("engine/all-types-encrypted.realm")) { path in
    let environment = value.map { ["PROBE_KEY": $0] } ?? [:]
    let child = try ChildProcess("StorageProbe", ["open-by-environment", path], environment: environment)
    #expect(child.wait() == ending)
  }
}

@Test(arguments: [0, 1, 32, 63, 65, 128])
func `a key has 64 bytes`(count: Int) {
  let error = #expect(throws: RealmError.self) { try EncryptionKey.of([UInt8](repeating: 1, count: count)) }
  #expect(error?.kind == .key && error?.cause as? StorageError == .key(.wrongLength(count)))
}

@Test func `a key shows nothing of itself`() throws {
  let key = try EncryptionKey.of(Array("0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef".utf8))
  var dumped = ""
  dump(key, to: &dumped)
  dump(RealmWithKey(key: key), to: &dumped)
  for text in ["\(key)", String(reflecting: key), "\(RealmWithKey(key: key))", dumped] {
    #expect(text.contains("<redacted>"))
    #expect(!text.contains("0123456789") && !text.contains("48, 49") && !text.contains("30313233"))
  }
  #expect(!(key is any Encodable) && !((key as Any) is any Equatable))
}

private struct RealmWithKey {
  let key: EncryptionKey
}

@Test func `wiping leaves zeros`() {
  var secret = raw
  ccrypto_wipe(&secret, secret.count)
  #expect(secret == [UInt8](repeating: 0, count: 64))
}
