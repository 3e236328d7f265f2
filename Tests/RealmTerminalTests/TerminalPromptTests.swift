import Foundation
import RealmStorage
import RealmTerminal
import TestSupport
import Testing

private let key = String(repeating: "0123456789abcdef", count: 8)

@Test func `a key typed at the terminal is not shown`() throws {
  let terminal = try ChildProcess(atTerminal: "StorageProbe", ["ask"])
  #expect(terminal.read(until: "Key: ") == "Key: ")
  #expect(!terminal.echoes)
  terminal.type(key + "x\u{7f}\n")
  // Nothing but the end of the line follows the prompt; the erased character does not count.
  #expect(terminal.read(until: "got <redacted>\r\n") == "\r\ngot <redacted>\r\n")
  #expect(terminal.wait().status == 0)
  #expect(terminal.echoes)
}

@Test func `what is no key is told`() throws {
  let terminal = try ChildProcess(atTerminal: "StorageProbe", ["ask"])
  _ = terminal.read(until: "Key: ")
  terminal.type("0123\n")
  #expect(terminal.read(until: ")\r\n").hasSuffix("Encryption key must be 64 bytes (got 2, read as hex digits)\r\n"))
  #expect(terminal.wait().status == 1)
  #expect(terminal.echoes)
}

@Test func `an interrupt finds the terminal as it was`() throws {
  let terminal = try ChildProcess(atTerminal: "StorageProbe", ["ask"])
  _ = terminal.read(until: "Key: ")
  terminal.type("01\u{3}")
  #expect(terminal.wait().signal == SIGINT)
  #expect(terminal.echoes)
}

@Test(arguments: [SIGTERM, SIGHUP])
func `a signal from elsewhere finds the terminal as it was`(signal: Int32) throws {
  let terminal = try ChildProcess(atTerminal: "StorageProbe", ["ask"])
  _ = terminal.read(until: "Key: ")
  #expect(kill(terminal.processID, signal) == 0)
  #expect(terminal.wait().signal == signal)
  #expect(terminal.echoes)
}

@Test func `a program that was stopped asks again`() throws {
  let terminal = try ChildProcess(atTerminal: "StorageProbe", ["ask"])
  _ = terminal.read(until: "Key: ")
  #expect(kill(terminal.processID, SIGTSTP) == 0)
  // A session without a parent at the terminal cannot be stopped by it; the question is asked again in any case.
  #expect(terminal.read(until: "Key: ").hasSuffix("Key: "))
  terminal.type(key + "\n")
  #expect(terminal.read(until: "got <redacted>\r\n").hasSuffix("got <redacted>\r\n"))
  #expect(terminal.wait().status == 0)
  #expect(terminal.echoes)
}

@Test func `without a terminal there is nobody to ask`() throws {
  #expect(try TerminalPrompt.ask("Key: ", terminal: "/no/such/terminal") == nil)
  #expect(try TerminalPrompt.ask("Key: ", terminal: "/dev/null") == nil)
  #expect(throws: StorageError.key(.noTerminal)) { try EncryptionKey.typed { nil } }
}
