// swift-tools-version: 6.2
import PackageDescription

/// As strict as the library itself.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

// A package of its own, so that whoever measures the rest resolves no GRDB.
let package = Package(
  name: "JournalBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Reactor", path: "../..", traits: ["Journal"]),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    .executableTarget(
      name: "JournalRatios",
      dependencies: [
        .product(name: "Reactor", package: "Reactor"),
        .product(name: "ReactorJournal", package: "Reactor"),
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict)
  ],
  swiftLanguageModes: [.v6]
)
