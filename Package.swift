// swift-tools-version: 6.2
import PackageDescription

/// Whether `make test` builds.
let isTesting = Context.environment["REALMCTL_TESTING"] != nil

/// Where the packages are that this one needs, in a source archive.
let vendored = Context.environment["REALMCTL_VENDORED"]

/// Settings of every Swift target: a warning is an error. A file imports every module whose members it uses, so that those
/// that import no C library are the same for every system (`Scripts/check-macos`).
let swift: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// Settings of what only the tool uses, and of tests: they need macOS 15, although a package has one list of systems.
let tool: [SwiftSetting] =
  swift + [.unsafeFlags(["-Xfrontend", "-disable-availability-checking"], .when(platforms: [.macOS]))]

/// Settings of modules that apps use and whose tests work on few values.
let middle: [SwiftSetting] =
  swift + (isTesting ? [.unsafeFlags(["-Onone"], .when(configuration: .release))] : [])

/// Settings of what puts together what the modules below do, where size counts more than speed. `make test` does not
/// optimize it, which would take several times as long as the tests gain.
let upper: [SwiftSetting] =
  tool + [.unsafeFlags([isTesting ? "-Onone" : "-Osize"], .when(configuration: .release))]

/// Settings of the tests themselves: what they call is optimized in a release build, they are not, which saves more time
/// than it costs; nothing imports them, so that their interface is not needed any earlier. They may call what Apple
/// deprecates.
let tests: [SwiftSetting] =
  tool + [.treatWarning("DeprecatedDeclaration", as: .warning)]
  + (isTesting
    ? [.unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))]
    : [])

/// Everything is linked statically: the binary runs where neither Swift nor the libraries are installed, and starts in half
/// the time, as nothing is looked up, loaded or relocated. What FoundationEssentials needs is named, because only code that
/// was compiled for a static library says so itself. Where the system has no static libraries, only Swift's are.
let standalone =
  [Context.environment["REALMCTL_SYSTEM_LIBS"] == "shared" ? "-static-stdlib" : "-static-executable"]
  + ["swiftSynchronization", "_FoundationCollections", "_FoundationCShims"].flatMap { ["-Xlinker", "-l\($0)"] }

let package = Package(
  name: "realmctl",
  // Of the modules that apps use.
  platforms: [.macOS(.v12), .iOS(.v15), .tvOS(.v15), .watchOS(.v8)],
  products: [
    .executable(name: "realmctl", targets: ["Start"]),
    // The engine.
    .library(name: "RealmStorage", targets: ["RealmStorage"]),
    // Queries.
    .library(name: "RealmQuery", targets: ["RealmQuery"]),
    // Opening a realm as an app's launch does.
    .library(name: "RealmOpening", targets: ["RealmOpening", "RealmInspection"]),
    // What an app needs that leaves Realm.
    .library(name: "LeaveRealm", targets: ["LeaveRealm"]),
    // The same of damaged realms.
    .library(name: "LeaveRealmRescue", targets: ["LeaveRealmRescue"]),
    // Types of Foundation, and Codable ones.
    .library(name: "RealmFoundation", targets: ["RealmFoundation"]),
  ],
  dependencies: [
    vendored.map { .package(path: "\($0)/swift-argument-parser") }
      ?? .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(
      name: "libcrypto", path: "Sources/Libraries/libcrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])]),
    .systemLibrary(
      name: "libsqlite3", path: "Sources/Libraries/libsqlite3", pkgConfig: "sqlite3",
      providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(
      name: "libyaml", path: "Sources/Libraries/libyaml", pkgConfig: "yaml-0.1",
      providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])]),
    // Its description has flags that packages may not use.
    .systemLibrary(
      name: "libncurses", path: "Sources/Libraries/libncurses", providers: [.apt(["libncurses-dev"])]),
    // libcrypto, CommonCrypto on Apple's systems.
    .target(
      name: "CCrypto", dependencies: [.target(name: "libcrypto", condition: .when(platforms: [.linux]))],
      linkerSettings: [.linkedLibrary("crypto", .when(platforms: [.linux]))]),
    .target(name: "CSystem"),
    // The topics of `realmctl help`.
    .target(name: "CTopics"),
    // Glibc, Darwin or Musl.
    .target(name: "Libc", swiftSettings: swift),
    .target(name: "RealmSystem", dependencies: ["CCrypto", "CSystem", "Libc"], swiftSettings: swift),
    .target(name: "RealmTerminal", dependencies: ["CSystem", "Libc", "RealmSystem"], swiftSettings: swift),
    .target(name: "RealmStorage", dependencies: ["CCrypto", "CSystem", "Libc", "RealmSystem"], swiftSettings: swift),
    .target(name: "LeaveRealm", dependencies: ["Libc", "RealmStorage", "RealmSystem"], swiftSettings: swift),
    .target(
      name: "LeaveRealmRescue", dependencies: ["LeaveRealm", "RealmInspection", "RealmStorage"], swiftSettings: swift),
    // Types of Foundation, and Codable ones.
    .target(name: "RealmFoundation", dependencies: ["RealmStorage"], swiftSettings: swift),
    .target(name: "RealmInspection", dependencies: ["RealmStorage", "RealmSystem"], swiftSettings: swift),
    .target(
      name: "RealmText", dependencies: ["RealmStorage"], exclude: ["Widths/generate-widths.py"], swiftSettings: swift),
    .target(name: "RealmQuery", dependencies: ["Libc", "RealmStorage", "RealmText"], swiftSettings: swift),
    .target(name: "RealmModels", dependencies: ["RealmQuery", "RealmStorage", "RealmText"], swiftSettings: middle),
    .target(
      name: "RealmExchange",
      dependencies: [
        "CCrypto", "CSQLite", "RealmInspection", "RealmModels", "RealmQuery", "RealmStorage", "RealmText",
      ],
      swiftSettings: middle),
    .target(
      name: "RealmRedaction",
      dependencies: ["CCrypto", "RealmExchange", "RealmInspection", "RealmQuery", "RealmStorage", "RealmText"],
      swiftSettings: middle),
    .target(
      name: "RealmOpening", dependencies: ["Libc", "RealmInspection", "RealmStorage", "RealmSystem", "RealmText"],
      swiftSettings: middle),
    .target(
      name: "RealmTools",
      dependencies: [
        "RealmExchange", "RealmInspection", "RealmModels", "RealmOpening", "RealmQuery", "RealmRedaction",
        "RealmStorage", "RealmText",
      ],
      swiftSettings: upper),
    .target(
      name: "RealmMigration",
      dependencies: [
        "CYaml", "RealmExchange", "RealmModels", "RealmQuery", "RealmRedaction", "RealmStorage", "RealmTerminal",
        "RealmOpening", "RealmText", "RealmTools",
      ],
      swiftSettings: upper),
    .target(
      name: "CYaml", dependencies: ["libyaml"], linkerSettings: [.linkedLibrary("yaml")]),
    // What the program was built from; the Makefile knows it.
    .target(
      name: "CVersion", dependencies: ["CCrypto", "CNcurses", "CSQLite", "CYaml"],
      cSettings: ["REALMCTL_COMMIT", "REALMCTL_COMPILER"].compactMap { name in
        Context.environment[name].map { .define(name, to: "\"\($0)\"") }
      }),
    .target(
      name: "CSQLite", dependencies: [.target(name: "libsqlite3", condition: .when(platforms: [.linux]))],
      linkerSettings: [.linkedLibrary("sqlite3")]),
    .target(
      name: "CNcurses", dependencies: [.target(name: "libncurses", condition: .when(platforms: [.linux]))],
      linkerSettings: [
        .linkedLibrary("tinfo", .when(platforms: [.linux])), .linkedLibrary("ncurses", .when(platforms: [.macOS])),
      ]),
    .target(
      name: "RealmPresentation", dependencies: ["Libc", "RealmStorage", "RealmText"], swiftSettings: upper),
    .target(
      name: "RealmBrowser",
      dependencies: [
        "CNcurses", "Libc", "RealmPresentation", "RealmQuery", "RealmStorage", "RealmTerminal", "RealmText",
      ],
      swiftSettings: upper),
    .target(name: "RealmHelp", dependencies: ["RealmText"], swiftSettings: upper),
    .target(
      name: "realmctl",
      dependencies: [
        "CTopics", "Libc", "RealmBrowser", "RealmExchange", "RealmHelp", "RealmMigration", "RealmModels",
        "RealmPresentation", "RealmRedaction", "RealmOpening", "RealmTools",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: upper),
    .executableTarget(
      name: "Start", dependencies: ["CVersion", "realmctl"], swiftSettings: upper,
      linkerSettings: [.unsafeFlags(standalone, .when(platforms: [.linux], configuration: .release))]),
    // Sees what other packages see.
    .executableTarget(
      name: "shelter-example", dependencies: ["RealmOpening", "RealmStorage"], path: "Examples/Shelter",
      packageAccess: false, swiftSettings: upper),
    .executableTarget(
      name: "leave-realm-example", dependencies: ["CSQLite", "LeaveRealm", "RealmStorage"], path: "Examples/LeaveRealm",
      packageAccess: false, swiftSettings: upper),
    .executableTarget(
      name: "manual-pages", dependencies: ["RealmHelp", "RealmText"], path: "Sources/ManualPages", swiftSettings: upper),
    .target(name: "CFork", path: "Fuzz/CFork"),
    .executableTarget(
      name: "transaction-benchmark", dependencies: ["Libc", "RealmStorage"], path: "Benchmarks/transactions",
      exclude: ["compare.py"],
      swiftSettings: upper),
    .executableTarget(
      name: "query-benchmark", dependencies: ["RealmQuery", "RealmStorage"], path: "Benchmarks/queries",
      swiftSettings: upper),
    .executableTarget(
      name: "rescue-benchmark", dependencies: ["RealmStorage", "RealmOpening", "RealmTools", "TestSupport"],
      path: "Benchmarks/rescue",
      swiftSettings: upper),
    .executableTarget(
      name: "realm-fuzz",
      dependencies: [
        "BrowserSupport", "CFork", "RealmBrowser", "RealmMigration", "RealmQuery", "RealmOpening", "RealmText",
        "RealmTools",
        "TestSupport",
      ],
      path: "Fuzz",
      exclude: ["CFork", "README.md"],
      swiftSettings: upper),
    .target(
      name: "TestSupport", dependencies: ["CProcess", "RealmInspection", "RealmStorage", "RealmText"],
      path: "Tests/TestSupport",
      swiftSettings: tool),
    .target(
      name: "BrowserSupport", dependencies: ["RealmBrowser"], path: "Tests/BrowserSupport", swiftSettings: tool),
    .executableTarget(
      name: "StorageProbe", dependencies: ["Libc", "RealmStorage", "RealmTerminal"], path: "Tests/StorageProbe",
      swiftSettings: upper),
    .executableTarget(
      name: "query-probe", dependencies: ["RealmQuery", "TestSupport"], path: "Tests/QueryProbe", swiftSettings: upper),
    .executableTarget(
      name: "CrashProbe",
      dependencies: ["RealmBrowser", "RealmMigration", "RealmOpening", "RealmTools", "TestSupport"],
      path: "Tests/CrashProbe", swiftSettings: upper),
    .target(
      name: "Mutations", dependencies: ["RealmOpening", "RealmTools", "TestSupport"], path: "Tests/Mutations",
      swiftSettings: upper),
    .executableTarget(
      name: "MutationProbe", dependencies: ["Mutations"], path: "Tests/MutationProbe", swiftSettings: upper),
    .testTarget(
      name: "RealmStorageTests",
      dependencies: ["RealmStorage", "TestSupport", "StorageProbe", "CCrypto"],
      swiftSettings: tests),
    .testTarget(
      name: "LeaveRealmTests",
      dependencies: [
        "CSQLite", "LeaveRealm", "LeaveRealmRescue", "RealmStorage", "RealmSystem", "TestSupport", "StorageProbe",
        "leave-realm-example",
      ],
      swiftSettings: tests),
    .testTarget(name: "RealmSystemTests", dependencies: ["RealmSystem", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "RealmTerminalTests",
      dependencies: ["RealmStorage", "RealmSystem", "RealmTerminal", "StorageProbe", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "RealmFoundationTests", dependencies: ["RealmFoundation", "RealmStorage", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "RealmInspectionTests", dependencies: ["RealmInspection", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "RealmToolsTests",
      dependencies: [
        "Mutations", "RealmExchange", "RealmModels", "RealmOpening", "RealmTools", "TestSupport", "CrashProbe",
      ],
      exclude: ["Export/Expected"],
      swiftSettings: tests),
    .testTarget(
      name: "RealmModelsTests", dependencies: ["RealmModels", "RealmStorage", "RealmText", "TestSupport"],
      exclude: ["Schema/Expected"],
      swiftSettings: tests),
    .target(name: "CProcess", path: "Tests/CProcess"),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "realmctl", "manual-pages", "shelter-example", "LeaveRealm", "LeaveRealmRescue", "RealmBrowser",
        "RealmFoundation", "RealmHelp", "RealmPresentation", "RealmQuery", "RealmStorage", "RealmOpening", "RealmTools",
        "TestSupport", "CProcess",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: tests),
    .testTarget(
      name: "RealmBrowserTests",
      dependencies: [
        "BrowserSupport", "RealmBrowser", "RealmExchange", "RealmMigration", "RealmPresentation", "RealmQuery",
        "RealmStorage", "RealmOpening", "RealmTools", "TestSupport",
      ],
      exclude: ["Screens"],
      swiftSettings: tests),
    .testTarget(
      name: "RealmPresentationTests", dependencies: ["RealmPresentation", "RealmStorage", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "BrowserTerminalTests",
      dependencies: ["RealmStorage", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "RealmMigrationTests",
      dependencies: ["RealmMigration", "RealmStorage", "RealmOpening", "RealmText", "RealmTools", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "RealmQueryTests", dependencies: ["RealmQuery", "RealmOpening", "RealmTools", "TestSupport"],
      swiftSettings: tests),
    .testTarget(name: "RealmTextTests", dependencies: ["Libc", "RealmText", "TestSupport"], swiftSettings: tests),
  ],
  swiftLanguageModes: [.v6]
)

// `make check` builds the tests of one module, and what they need.
if let only = Context.environment["REALMCTL_CHECK"] {
  let targets = Dictionary(uniqueKeysWithValues: package.targets.map { ($0.name, $0) })
  var needed: Set<String> = []
  func need(_ name: String) {
    guard let target = targets[name], needed.insert(name).inserted else { return }
    for dependency in target.dependencies {
      switch dependency {
      case .targetItem(let name, _), .byNameItem(let name, _): need(name)
      default: break
      }
    }
  }
  need(only + "Tests")
  package.targets.removeAll { !needed.contains($0.name) }
  package.products.removeAll()
}
