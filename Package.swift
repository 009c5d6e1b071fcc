// swift-tools-version: 6.2
import PackageDescription

/// What every target is built with: warnings are errors, and imports say what they use.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "Reactor",
  platforms: [.macOS(.v26), .iOS(.v26), .tvOS(.v26), .watchOS(.v26), .visionOS(.v26)],
  targets: [
    // GNU readline is GPL: only the demos link it.
    .systemLibrary(name: "CReadline", providers: [.apt(["libreadline-dev"])]),
    .target(name: "Readline", dependencies: ["CReadline"], swiftSettings: strict),

    .target(
      name: "TerminalTesting", path: "Tests/TerminalTesting", swiftSettings: strict),
    .executableTarget(
      name: "ReadlineFixture", dependencies: ["Readline"], path: "Tests/ReadlineFixture",
      swiftSettings: strict),
    .testTarget(
      name: "ReadlineTests", dependencies: ["Readline", "ReadlineFixture", "TerminalTesting"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
