// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Whether `make test` builds.
let isTesting = Context.environment["REALMCTL_TESTING"] != nil

/// Settings of every Swift target: a warning is an error. Modules are optimized each on its own, so that they are compiled
/// side by side: across modules, the optimizer saves at most 2.5 % of the instructions (`Benchmarks`), and a
/// module waits for those below it. A file imports every module whose members it uses, so that those that import no C
/// library are the same for every system (`Scripts/check-macos`).
let swift: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("MemberImportVisibility"),
  .unsafeFlags(["-disable-cmo"], .when(configuration: .release)),
]

/// Settings of what puts together what the modules below do: `make test` does not optimize it, which would take several
/// times as long as the tests gain.
let upper: [SwiftSetting] = swift + (isTesting ? [.unsafeFlags(["-Onone"], .when(configuration: .release))] : [])

/// Settings of the tests themselves: what they call is optimized in a release build, they are not, which saves more time
/// than it costs; nothing imports them, so that their interface is not needed any earlier.
let tests: [SwiftSetting] =
  swift + [
    .unsafeFlags(["-Onone", "-no-whole-module-optimization", "-enable-batch-mode"], .when(configuration: .release))
  ]

/// libcrypto from its static library, and the libraries it needs itself: none on Debian 12, zlib and zstd from Debian 13
/// on. Its own description says so.
let crypto: [String] = {
  let folders = ["x86_64", "aarch64"].map { "/usr/lib/\($0)-linux-gnu/pkgconfig/libcrypto.pc" }
  let description = folders.compactMap { try? String(contentsOfFile: $0, encoding: .utf8) }.first ?? ""
  let needed = description.split(separator: "\n").filter { $0.hasPrefix("Libs.private:") }
    .flatMap { $0.split(separator: " ") }
  let libraries = ["crypto"] + ["z", "zstd"].filter { needed.contains("-l\($0)") }
  return libraries.flatMap { ["-Xlinker", "-l:lib\($0).a"] }
}()

/// Everything is linked statically: the binary runs where neither Swift nor the libraries are installed, and starts in half
/// the time, as nothing is looked up, loaded or relocated. What FoundationEssentials needs is named, because only code that
/// was compiled for a static library says so itself.
let standalone =
  ["-static-executable"]
  + ["swiftSynchronization", "_FoundationCollections", "_FoundationCShims"].flatMap { ["-Xlinker", "-l\($0)"] }

let package = Package(
  name: "realmctl",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "realmctl", targets: ["Start"]),
    // The engine, and what executes a configuration.
    .library(name: "RealmStorage", targets: ["RealmStorage", "RealmTools"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2")
  ],
  targets: [
    .target(
      name: "CCrypto",
      linkerSettings: [
        .unsafeFlags(crypto, .when(platforms: [.linux]))
      ]),
    .target(name: "CSystem"),
    // Glibc, Darwin or Musl.
    .target(name: "Libc", swiftSettings: swift),
    .target(name: "RealmSystem", dependencies: ["CCrypto", "CSystem", "Libc"], swiftSettings: swift),
    .target(name: "RealmTerminal", dependencies: ["CSystem", "Libc", "RealmSystem"], swiftSettings: swift),
    .target(name: "RealmStorage", dependencies: ["CCrypto", "CSystem", "Libc", "RealmSystem"], swiftSettings: swift),
    .target(name: "RealmInspection", dependencies: ["RealmStorage", "RealmSystem"], swiftSettings: swift),
    .target(
      name: "RealmText", dependencies: ["RealmStorage"], exclude: ["Widths/generate-widths.py"], swiftSettings: swift),
    .target(name: "RealmQuery", dependencies: ["Libc", "RealmStorage", "RealmText"], swiftSettings: swift),
    .target(
      name: "RealmExchange",
      dependencies: ["CCrypto", "CSQLite", "RealmInspection", "RealmQuery", "RealmStorage", "RealmText"],
      swiftSettings: swift),
    .target(
      name: "RealmTools",
      dependencies: ["RealmExchange", "RealmInspection", "RealmQuery", "RealmStorage", "RealmText"],
      swiftSettings: upper),
    .target(
      name: "RealmMigration",
      dependencies: [
        "CYaml", "RealmExchange", "RealmQuery", "RealmStorage", "RealmTerminal", "RealmText", "RealmTools",
      ],
      swiftSettings: upper),
    .target(
      name: "CYaml",
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "-l:libyaml.a"], .when(platforms: [.linux])),
        .linkedLibrary("yaml", .when(platforms: [.macOS])),
      ]),
    .target(
      name: "CSQLite",
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "-l:libsqlite3.a"], .when(platforms: [.linux])),
        .linkedLibrary("sqlite3", .when(platforms: [.macOS])),
      ]),
    .target(
      name: "CNcurses",
      linkerSettings: [
        .unsafeFlags(["-Xlinker", "-l:libncursesw.a", "-Xlinker", "-l:libtinfo.a"], .when(platforms: [.linux])),
        .linkedLibrary("ncurses", .when(platforms: [.macOS])),
      ]),
    .target(
      name: "RealmBrowser",
      dependencies: ["CNcurses", "Libc", "RealmQuery", "RealmStorage", "RealmTerminal", "RealmText"],
      swiftSettings: swift),
    .target(name: "RealmHelp", dependencies: ["RealmText"], swiftSettings: upper),
    .target(
      name: "realmctl",
      dependencies: [
        "Libc", "RealmBrowser", "RealmExchange", "RealmHelp", "RealmMigration", "RealmTools",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: upper),
    .executableTarget(
      name: "Start", dependencies: ["realmctl"], swiftSettings: upper,
      linkerSettings: [.unsafeFlags(standalone, .when(platforms: [.linux], configuration: .release))]),
    // Sees what other packages see.
    .executableTarget(
      name: "shelter-example", dependencies: ["RealmStorage", "RealmTools"], path: "Examples/Shelter",
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
      name: "rescue-benchmark", dependencies: ["RealmStorage", "RealmTools", "TestSupport"], path: "Benchmarks/rescue",
      swiftSettings: upper),
    .executableTarget(
      name: "realm-fuzz",
      dependencies: [
        "BrowserSupport", "CFork", "RealmBrowser", "RealmMigration", "RealmQuery", "RealmText", "RealmTools",
        "TestSupport",
      ],
      path: "Fuzz",
      exclude: ["CFork", "README.md"],
      swiftSettings: upper),
    .target(
      name: "TestSupport", dependencies: ["CProcess", "RealmInspection", "RealmStorage", "RealmText"],
      path: "Tests/TestSupport",
      swiftSettings: swift),
    .target(
      name: "BrowserSupport", dependencies: ["RealmBrowser"], path: "Tests/BrowserSupport", swiftSettings: swift),
    .executableTarget(
      name: "StorageProbe", dependencies: ["Libc", "RealmStorage", "RealmTerminal"], path: "Tests/StorageProbe",
      swiftSettings: upper),
    .executableTarget(
      name: "query-probe", dependencies: ["RealmQuery", "TestSupport"], path: "Tests/QueryProbe", swiftSettings: upper),
    .executableTarget(
      name: "CrashProbe", dependencies: ["RealmBrowser", "RealmMigration", "RealmTools", "TestSupport"],
      path: "Tests/CrashProbe", swiftSettings: upper),
    .target(
      name: "Mutations", dependencies: ["RealmTools", "TestSupport"], path: "Tests/Mutations", swiftSettings: upper),
    .executableTarget(
      name: "MutationProbe", dependencies: ["Mutations"], path: "Tests/MutationProbe", swiftSettings: upper),
    .testTarget(
      name: "RealmStorageTests",
      dependencies: ["RealmStorage", "TestSupport", "StorageProbe", "CCrypto"],
      swiftSettings: tests),
    .testTarget(name: "RealmSystemTests", dependencies: ["RealmSystem", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "RealmTerminalTests",
      dependencies: ["RealmStorage", "RealmSystem", "RealmTerminal", "StorageProbe", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "RealmInspectionTests", dependencies: ["RealmInspection", "TestSupport"], swiftSettings: tests),
    .testTarget(
      name: "RealmToolsTests",
      dependencies: ["Mutations", "RealmTools", "TestSupport", "CrashProbe"],
      exclude: ["Export/Expected", "Schema/Expected"],
      swiftSettings: tests),
    .target(name: "CProcess", path: "Tests/CProcess"),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "realmctl", "manual-pages", "shelter-example", "RealmBrowser", "RealmHelp", "RealmStorage", "RealmTools",
        "TestSupport",
        "CProcess",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: tests),
    .testTarget(
      name: "RealmBrowserTests",
      dependencies: [
        "BrowserSupport", "RealmBrowser", "RealmExchange", "RealmMigration", "RealmQuery", "RealmStorage", "RealmTools",
        "TestSupport",
      ],
      exclude: ["Screens"],
      swiftSettings: tests),
    .testTarget(
      name: "BrowserTerminalTests",
      dependencies: ["RealmStorage", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "RealmMigrationTests",
      dependencies: ["RealmMigration", "RealmStorage", "RealmText", "RealmTools", "TestSupport"],
      swiftSettings: tests),
    .testTarget(
      name: "RealmQueryTests", dependencies: ["RealmQuery", "RealmTools", "TestSupport"], swiftSettings: tests),
    .testTarget(name: "RealmTextTests", dependencies: ["Libc", "RealmText", "TestSupport"], swiftSettings: tests),
  ],
  swiftLanguageModes: [.v6]
)
