// What this package uses of Foundation, which has no declarations for Apple's systems here. Only compiled, never run: what
// counts is that it exports Darwin and Dispatch, as Apple's does, so that the calls of the C library in tests are checked.
@_exported import Darwin
@_exported import Dispatch

// MARK: Objects

open class NSObject: Hashable, Equatable {
  public init() {}
  public static func == (left: NSObject, right: NSObject) -> Bool { false }
  public func hash(into hasher: inout Hasher) {}
}
open class NSString: NSObject, @unchecked Sendable {
  public var deletingLastPathComponent: String { "" }
  public var lastPathComponent: String { "" }
}
open class NSNumber: NSObject, @unchecked Sendable, ExpressibleByIntegerLiteral {
  public convenience init(value: Bool) { self.init() }
  public convenience init(value: Double) { self.init() }
  public convenience init(value: Int64) { self.init() }
  public required convenience init(integerLiteral value: Int) { self.init() }
  public var doubleValue: Double { 0 }
  public var intValue: Int { 0 }
}
open class NSNull: NSObject, @unchecked Sendable {}
open class NSArray: NSObject {}
open class NSDictionary: NSObject {
  public convenience init(dictionary: [AnyHashable: Any]) { self.init() }
}
extension String: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSString { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSString, result: inout String?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSString, result: inout String?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSString?) -> String { "" }
}
extension Dictionary: @retroactive _ObjectiveCBridgeable {
  public func _bridgeToObjectiveC() -> NSDictionary { fatalError() }
  public static func _forceBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) {}
  public static func _conditionallyBridgeFromObjectiveC(_ source: NSDictionary, result: inout Dictionary?) -> Bool { false }
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSDictionary?) -> Dictionary { [:] }
}

// MARK: Values

public struct Data: Hashable, Sendable, RandomAccessCollection, MutableCollection, RangeReplaceableCollection, Codable {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let atomic = Self(rawValue: 1)
  }
  public struct Base64DecodingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public typealias SubSequence = Data
  public init() {}
  public init<S: Sequence>(_ bytes: S) where S.Element == UInt8 {}
  public init(bytes: UnsafeRawPointer, count: Int) {}
  public init(count: Int) {}
  public init(repeating: UInt8, count: Int) {}
  public init(contentsOf url: URL, options: ReadingOptions = []) throws {}
  public init?(base64Encoded text: String, options: Base64DecodingOptions = []) {}
  public func base64EncodedString() -> String { "" }
  public func write(to url: URL, options: WritingOptions = []) throws {}
  public func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R { fatalError() }
  public var startIndex: Int { 0 }
  public var endIndex: Int { 0 }
  public subscript(index: Int) -> UInt8 { get { 0 } set {} }
  public subscript(range: Range<Int>) -> Data { get { self } set {} }
  public mutating func replaceSubrange<C: Collection>(_ range: Range<Int>, with bytes: C) where C.Element == UInt8 {}
}
public struct URL: Hashable, Sendable, Codable {
  public enum DirectoryHint: Sendable { case isDirectory, notDirectory, checkFileSystem, inferFromPath }
  public init?(string: String) {}
  public init(filePath: String, directoryHint: DirectoryHint = .inferFromPath) {}
  public init(fileURLWithPath: String, isDirectory: Bool = false) {}
  public var path: String { "" }
  public var absoluteString: String { "" }
  public var lastPathComponent: String { "" }
  public var pathExtension: String { "" }
  public var standardizedFileURL: URL { self }
  public var isFileURL: Bool { true }
  public func appendingPathComponent(_ name: String) -> URL { self }
  public func appending(path: String, directoryHint: DirectoryHint = .inferFromPath) -> URL { self }
  public func deletingLastPathComponent() -> URL { self }
  public func deletingPathExtension() -> URL { self }
  public func resolvingSymlinksInPath() -> URL { self }
  public func path(percentEncoded: Bool = true) -> String { "" }
}
public typealias TimeInterval = Double
public struct Date: Hashable, Comparable, Sendable, Codable {
  public init() {}
  public init(timeIntervalSince1970: TimeInterval) {}
  public init(timeIntervalSinceNow: TimeInterval) {}
  public init(timeIntervalSinceReferenceDate: TimeInterval) {}
  public static var now: Date { Date() }
  public static var distantPast: Date { Date() }
  public static var distantFuture: Date { Date() }
  public static let timeIntervalBetween1970AndReferenceDate = 978_307_200.0
  public var timeIntervalSince1970: TimeInterval { 0 }
  public var timeIntervalSinceNow: TimeInterval { 0 }
  public var timeIntervalSinceReferenceDate: TimeInterval { 0 }
  public func timeIntervalSince(_ date: Date) -> TimeInterval { 0 }
  public func addingTimeInterval(_ interval: TimeInterval) -> Date { self }
  public static func < (left: Date, right: Date) -> Bool { false }
}
public typealias uuid_t = (
  UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8, UInt8
)
public struct UUID: Hashable, Comparable, Sendable, Codable {
  public init() {}
  public init?(uuidString: String) {}
  public init(uuid: uuid_t) {}
  public var uuid: uuid_t { fatalError() }
  public var uuidString: String { "" }
  public static func < (left: UUID, right: UUID) -> Bool { false }
}
public struct Decimal: Hashable, Comparable, Sendable, Codable, SignedNumeric, CustomStringConvertible {
  public init() {}
  public init?(string: String) {}
  public init(integerLiteral value: Int) {}
  public init?<T: BinaryInteger>(exactly source: T) {}
  public init(sign: FloatingPointSign, exponent: Int, significand: Decimal) {}
  public static var nan: Decimal { Decimal() }
  public var isNaN: Bool { false }
  public var isSignMinus: Bool { false }
  public var exponent: Int { 0 }
  public var significand: Decimal { self }
  public var magnitude: Decimal { self }
  public var description: String { "" }
  public static func < (left: Decimal, right: Decimal) -> Bool { false }
  public static func + (left: Decimal, right: Decimal) -> Decimal { left }
  public static func - (left: Decimal, right: Decimal) -> Decimal { left }
  public static func * (left: Decimal, right: Decimal) -> Decimal { left }
  public static func *= (left: inout Decimal, right: Decimal) {}
}
public struct Locale: Sendable { public init(identifier: String) {} }
public struct TimeZone: Sendable { public init?(secondsFromGMT: Int) {} }
open class DateFormatter: @unchecked Sendable {
  public init() {}
  public var locale: Locale?
  public var timeZone: TimeZone?
  public var dateFormat: String?
  public func string(from date: Date) -> String { "" }
  public func date(from text: String) -> Date? { nil }
}
public struct POSIXErrorCode: Sendable, RawRepresentable {
  public let rawValue: Int32
  public init?(rawValue: Int32) { self.rawValue = rawValue }
  public static var EIO: Self { fatalError() }
}
public struct POSIXError: Error {
  public init(_ code: POSIXErrorCode) {}
}
public enum JSONSerialization {
  public struct ReadingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let fragmentsAllowed = Self(rawValue: 1)
    public static let allowFragments = Self(rawValue: 1)
  }
  public struct WritingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let sortedKeys = Self(rawValue: 1)
    public static let fragmentsAllowed = Self(rawValue: 2)
    public static let prettyPrinted = Self(rawValue: 4)
  }
  public static func jsonObject(with data: Data, options: ReadingOptions = []) throws -> Any { data }
  public static func data(withJSONObject object: Any, options: WritingOptions = []) throws -> Data { Data() }
  public static func isValidJSONObject(_ object: Any) -> Bool { true }
}
open class JSONEncoder: @unchecked Sendable {
  public struct OutputFormatting: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let sortedKeys = Self(rawValue: 1)
  }
  public init() {}
  public var outputFormatting: OutputFormatting = []
  public func encode<T: Encodable>(_ value: T) throws -> Data { Data() }
}
open class JSONDecoder: @unchecked Sendable {
  public init() {}
  public func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { fatalError() }
}

// MARK: Text

public struct CharacterSet: Sendable, ExpressibleByArrayLiteral {
  public static let whitespaces = Self()
  public static let newlines = Self()
  public static let whitespacesAndNewlines = Self()
  public init() {}
  public init(charactersIn text: String) {}
  public init(arrayLiteral elements: Unicode.Scalar...) {}
}
extension String {
  public struct Encoding: Sendable {
    public static let utf8 = Self()
    public static let utf16LittleEndian = Self()
    public static let utf16BigEndian = Self()
  }
  public struct CompareOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let regularExpression = Self(rawValue: 1)
    public static let backwards = Self(rawValue: 2)
  }
  public init(contentsOf url: URL, encoding: Encoding) throws { self = "" }
  public init(contentsOfFile path: String, encoding: Encoding) throws { self = "" }
  public init(format: String, _ arguments: any CVarArg...) { self = "" }
  public init?(data: Data, encoding: Encoding) { self = "" }
}
extension StringProtocol {
  public func trimmingCharacters(in set: CharacterSet) -> String { "" }
  public func components(separatedBy separator: some StringProtocol) -> [String] { [] }
  public func replacingCharacters<R: RangeExpression>(in range: R, with text: String) -> String where R.Bound == Index { "" }
  public func replacingOccurrences(of target: String, with text: String, options: String.CompareOptions = []) -> String { "" }
  public func range(of text: some StringProtocol, options: String.CompareOptions = []) -> Range<String.Index>? { nil }
  public func padding(toLength: Int, withPad: String, startingAt: Int) -> String { "" }
  public func data(using encoding: String.Encoding) -> Data? { nil }
  public func write(toFile path: String, atomically: Bool, encoding: String.Encoding) throws {}
  public func write(to url: URL, atomically: Bool, encoding: String.Encoding) throws {}
  public var capitalized: String { "" }
}
public struct NSRange: Sendable, Hashable {
  public init<R: RangeExpression, S: StringProtocol>(_ range: R, in text: S) where R.Bound == S.Index {}
  public var location: Int { 0 }
}
extension Range where Bound == String.Index {
  public init?(_ range: NSRange, in text: some StringProtocol) { nil }
}
open class NSRegularExpression: @unchecked Sendable {
  public struct Options: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    public static let anchorsMatchLines = Self(rawValue: 1)
  }
  public struct MatchingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  public init(pattern: String, options: Options = []) throws {}
  public func matches(in text: String, options: MatchingOptions = [], range: NSRange) -> [NSTextCheckingResult] { [] }
}
open class NSTextCheckingResult: @unchecked Sendable {
  public var numberOfRanges: Int { 0 }
  public func range(at index: Int) -> NSRange { fatalError() }
}

// MARK: Files and processes

public func NSTemporaryDirectory() -> String { "" }
public struct FileAttributeType: Sendable, Hashable { public static let typeRegular = Self() }
public struct FileAttributeKey: Hashable, Sendable {
  public static let size = Self()
  public static let posixPermissions = Self()
  public static let modificationDate = Self()
  public static let creationDate = Self()
  public static let type = Self()
}
public struct URLResourceKey: Hashable, Sendable {}
public struct ObjCBool: Sendable, ExpressibleByBooleanLiteral {
  public init(booleanLiteral value: Bool) {}
  public var boolValue: Bool { false }
}
open class FileManager: @unchecked Sendable {
  public struct DirectoryEnumerationOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
  }
  open class DirectoryEnumerator: Sequence, IteratorProtocol {
    public init() {}
    public func next() -> Any? { nil }
  }
  public static var `default`: FileManager { fatalError() }
  public var temporaryDirectory: URL { fatalError() }
  public var currentDirectoryPath: String { "" }
  public func fileExists(atPath: String) -> Bool { false }
  public func fileExists(atPath: String, isDirectory: UnsafeMutablePointer<ObjCBool>?) -> Bool { false }
  public func isExecutableFile(atPath: String) -> Bool { false }
  public func contents(atPath: String) -> Data? { nil }
  public func contentsOfDirectory(atPath: String) throws -> [String] { [] }
  public func contentsOfDirectory(
    at url: URL, includingPropertiesForKeys: [URLResourceKey]?, options: DirectoryEnumerationOptions = []
  ) throws -> [URL] { [] }
  public func subpathsOfDirectory(atPath: String) throws -> [String] { [] }
  public func removeItem(atPath: String) throws {}
  public func removeItem(at url: URL) throws {}
  public func moveItem(atPath: String, toPath: String) throws {}
  public func moveItem(at url: URL, to other: URL) throws {}
  public func copyItem(atPath: String, toPath: String) throws {}
  public func copyItem(at url: URL, to other: URL) throws {}
  public func createDirectory(
    atPath: String, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  public func createDirectory(
    at url: URL, withIntermediateDirectories: Bool, attributes: [FileAttributeKey: Any]? = nil
  ) throws {}
  @discardableResult public func createFile(
    atPath: String, contents: Data?, attributes: [FileAttributeKey: Any]? = nil
  ) -> Bool { false }
  public func createSymbolicLink(atPath: String, withDestinationPath: String) throws {}
  public func destinationOfSymbolicLink(atPath: String) throws -> String { "" }
  public func attributesOfItem(atPath: String) throws -> [FileAttributeKey: Any] { [:] }
  public func setAttributes(_ attributes: [FileAttributeKey: Any], ofItemAtPath: String) throws {}
  public func enumerator(atPath: String) -> DirectoryEnumerator? { nil }
  public func enumerator(at url: URL, includingPropertiesForKeys: [URLResourceKey]?) -> DirectoryEnumerator? { nil }
}
open class FileHandle: @unchecked Sendable {
  public init(fileDescriptor: Int32, closeOnDealloc: Bool = false) {}
  public init?(forReadingAtPath: String) {}
  public init?(forWritingAtPath: String) {}
  public init?(forUpdatingAtPath: String) {}
  public init(forReadingFrom url: URL) throws {}
  public init(forWritingTo url: URL) throws {}
  public init(forUpdating url: URL) throws {}
  public static var standardError: FileHandle { fatalError() }
  public static var standardOutput: FileHandle { fatalError() }
  public static var nullDevice: FileHandle { fatalError() }
  public var fileDescriptor: Int32 { 0 }
  public func write(_ data: Data) {}
  public func write<D: Sequence>(contentsOf data: D) throws where D.Element == UInt8 {}
  public func readToEnd() throws -> Data? { nil }
  public func read(upToCount: Int) throws -> Data? { nil }
  public func readDataToEndOfFile() -> Data { Data() }
  @discardableResult public func seekToEnd() throws -> UInt64 { 0 }
  public func seek(toOffset: UInt64) throws {}
  public func truncate(atOffset: UInt64) throws {}
  public func synchronize() throws {}
  public func close() throws {}
}
open class Pipe: @unchecked Sendable {
  public init() {}
  public var fileHandleForReading: FileHandle { fatalError() }
  public var fileHandleForWriting: FileHandle { fatalError() }
}
open class Process: @unchecked Sendable {
  public enum TerminationReason: Sendable { case exit, uncaughtSignal }
  public init() {}
  public var executableURL: URL?
  public var arguments: [String]?
  public var environment: [String: String]?
  public var currentDirectoryURL: URL?
  public var standardInput: Any?
  public var standardOutput: Any?
  public var standardError: Any?
  public func run() throws {}
  public func waitUntilExit() {}
  public func terminate() {}
  public var isRunning: Bool { false }
  public var processIdentifier: Int32 { 0 }
  public var terminationStatus: Int32 { 0 }
  public var terminationReason: TerminationReason { .exit }
}
open class ProcessInfo: @unchecked Sendable {
  public static var processInfo: ProcessInfo { fatalError() }
  public var environment: [String: String] { [:] }
  public var arguments: [String] { [] }
  public var activeProcessorCount: Int { 1 }
  public var processIdentifier: Int32 { 0 }
}
open class Bundle: @unchecked Sendable {
  public static var main: Bundle { fatalError() }
  public var executableURL: URL? { nil }
}
