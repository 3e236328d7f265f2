// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Settings of every Swift target: a warning is an error, and release builds optimize across modules, because the
/// loops over leaves live in `RealmStorage` and what they call lives above it.
let swift: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .unsafeFlags(["-cross-module-optimization"], .when(configuration: .release)),
]

/// Settings of what the tests spend their time in. `make test` asks for optimized code in debug builds, too: it takes a
/// minute more to build and less than half the time to run. Assertions and the checks of exclusive access stay.
let library: [SwiftSetting] =
  ProcessInfo.processInfo.environment["REALMCTL_OPTIMIZED_DEBUG"] == nil
  ? swift
  : swift + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

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

let package = Package(
  name: "realmctl",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "realmctl", targets: ["realmctl"]),
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
    .target(name: "RealmStorage", dependencies: ["CCrypto", "CSystem", "Libc"], swiftSettings: library),
    .target(
      name: "RealmText", dependencies: ["RealmStorage"], exclude: ["Widths/generate-widths.py"], swiftSettings: library),
    .target(name: "RealmQuery", dependencies: ["Libc", "RealmStorage", "RealmText"], swiftSettings: library),
    .target(
      name: "RealmExchange", dependencies: ["CCrypto", "CSQLite", "RealmQuery", "RealmStorage", "RealmText"],
      swiftSettings: library),
    .target(
      name: "RealmTools", dependencies: ["RealmExchange", "RealmQuery", "RealmStorage", "RealmText"],
      swiftSettings: library),
    .target(
      name: "RealmMigration",
      dependencies: ["CYaml", "RealmExchange", "RealmQuery", "RealmStorage", "RealmText", "RealmTools"],
      swiftSettings: swift),
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
      dependencies: ["CNcurses", "Libc", "RealmQuery", "RealmStorage", "RealmText"],
      swiftSettings: library),
    .target(name: "RealmHelp", dependencies: ["RealmText"], swiftSettings: swift),
    .executableTarget(
      name: "realmctl",
      dependencies: [
        "Libc", "RealmBrowser", "RealmExchange", "RealmHelp", "RealmMigration", "RealmTools",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swift),
    // Sees what other packages see.
    .executableTarget(
      name: "shelter-example", dependencies: ["RealmStorage", "RealmTools"], path: "Examples/Shelter",
      packageAccess: false, swiftSettings: swift),
    .executableTarget(
      name: "manual-pages", dependencies: ["RealmHelp", "RealmText"], path: "Sources/ManualPages", swiftSettings: swift),
    .target(name: "CFork", path: "Fuzz/CFork"),
    .executableTarget(
      name: "transaction-benchmark", dependencies: ["Libc", "RealmStorage"], path: "Benchmarks/transactions",
      exclude: ["compare.py"],
      swiftSettings: swift),
    .executableTarget(
      name: "query-benchmark", dependencies: ["RealmQuery", "RealmStorage"], path: "Benchmarks/queries",
      swiftSettings: swift),
    .executableTarget(
      name: "rescue-benchmark", dependencies: ["RealmTools", "TestSupport"], path: "Benchmarks/rescue",
      swiftSettings: swift),
    .executableTarget(
      name: "realm-fuzz",
      dependencies: [
        "BrowserSupport", "CFork", "RealmBrowser", "RealmMigration", "RealmQuery", "RealmText", "RealmTools",
        "TestSupport",
      ],
      path: "Fuzz",
      exclude: ["CFork", "README.md"],
      swiftSettings: swift),
    .target(
      name: "TestSupport", dependencies: ["CProcess", "RealmStorage", "RealmText"], path: "Tests/TestSupport",
      swiftSettings: library),
    .target(
      name: "BrowserSupport", dependencies: ["RealmBrowser"], path: "Tests/BrowserSupport", swiftSettings: swift),
    .executableTarget(
      name: "StorageProbe", dependencies: ["Libc", "RealmStorage"], path: "Tests/StorageProbe", swiftSettings: swift),
    .executableTarget(
      name: "query-probe", dependencies: ["RealmQuery", "TestSupport"], path: "Tests/QueryProbe", swiftSettings: swift),
    .executableTarget(
      name: "CrashProbe", dependencies: ["RealmBrowser", "RealmMigration", "RealmTools", "TestSupport"],
      path: "Tests/CrashProbe", swiftSettings: swift),
    .target(
      name: "Mutations", dependencies: ["RealmTools", "TestSupport"], path: "Tests/Mutations", swiftSettings: library),
    .executableTarget(
      name: "MutationProbe", dependencies: ["Mutations"], path: "Tests/MutationProbe", swiftSettings: swift),
    .testTarget(
      name: "RealmStorageTests",
      dependencies: ["RealmStorage", "TestSupport", "StorageProbe", "CCrypto"],
      swiftSettings: swift),
    .testTarget(
      name: "RealmToolsTests",
      dependencies: ["Mutations", "RealmTools", "TestSupport", "CrashProbe"],
      exclude: ["Export/Expected", "Schema/Expected"],
      swiftSettings: swift),
    .target(name: "CProcess", path: "Tests/CProcess"),
    .testTarget(
      name: "CommandLineTests",
      dependencies: [
        "realmctl", "manual-pages", "shelter-example", "RealmBrowser", "RealmHelp", "RealmStorage", "RealmTools",
        "TestSupport",
        "CProcess",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: swift),
    .testTarget(
      name: "RealmBrowserTests",
      dependencies: [
        "BrowserSupport", "RealmBrowser", "RealmExchange", "RealmMigration", "RealmQuery", "RealmStorage", "RealmTools",
        "TestSupport",
      ],
      exclude: ["Screens"],
      swiftSettings: swift),
    .testTarget(
      name: "BrowserTerminalTests",
      dependencies: ["realmctl", "RealmStorage", "TestSupport"],
      swiftSettings: swift),
    .testTarget(
      name: "RealmMigrationTests",
      dependencies: ["RealmMigration", "RealmStorage", "RealmText", "RealmTools", "TestSupport"],
      swiftSettings: swift),
    .testTarget(
      name: "RealmQueryTests", dependencies: ["RealmQuery", "RealmTools", "TestSupport"], swiftSettings: swift),
    .testTarget(name: "RealmTextTests", dependencies: ["Libc", "RealmText", "TestSupport"], swiftSettings: swift),
  ],
  swiftLanguageModes: [.v6]
)
