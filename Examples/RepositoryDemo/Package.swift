// swift-tools-version: 6.2
import PackageDescription

/// The settings of a package that uses only the products of Reactor.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// The traits that the demo needs.
///
/// In the folder in which CI has built Reactor itself, it uses the traits of that build, so that
/// nothing is compiled again.
let needed: Set<Package.Dependency.Trait> = [
  "Hummingbird", "Journal", "Instrumentation", "Testing",
]
let others: Set<Package.Dependency.Trait> = ["Distribution", "Development"]
let traits = Context.environment["REACTOR_WEB_BUILD"] == nil ? needed : needed.union(others)

let reactor = Target.Dependency.product(name: "Reactor", package: "Reactor")
let reactorComposition = Target.Dependency.product(name: "ReactorComposition", package: "Reactor")
let reactorJournal = Target.Dependency.product(name: "ReactorJournal", package: "Reactor")
let reactorLifecycle = Target.Dependency.product(name: "ReactorLifecycle", package: "Reactor")
let reactorHummingbird = Target.Dependency.product(name: "ReactorHummingbird", package: "Reactor")
let reactorInstrumentation = Target.Dependency.product(
  name: "ReactorInstrumentation", package: "Reactor")
let reactorTesting = Target.Dependency.product(name: "ReactorTesting", package: "Reactor")
let listChanges = Target.Dependency.product(name: "ListChanges", package: "Reactor")
let hummingbird = Target.Dependency.product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore = Target.Dependency.product(name: "HummingbirdCore", package: "hummingbird")
let asyncHTTPClient = Target.Dependency.product(
  name: "AsyncHTTPClient", package: "async-http-client")
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let metrics = Target.Dependency.product(name: "CoreMetrics", package: "swift-metrics")

let package = Package(
  name: "RepositoryDemo",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Reactor", path: "../..", traits: traits),
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    // The reactors, one for each screen, and a GitHub that runs in the same program.
    .target(
      name: "RepositoryCore",
      dependencies: [
        "LibCrypto", reactor, reactorComposition, reactorJournal,
      ],
      swiftSettings: strict),

    // The server, its pages, and the file that assembles them.
    .executableTarget(
      name: "RepositoryDemo",
      dependencies: [
        "RepositoryCore", "CMarkGFM", reactor, reactorComposition, reactorJournal, reactorLifecycle,
        reactorHummingbird, reactorInstrumentation, listChanges, hummingbird, hummingbirdCore,
        asyncHTTPClient, logging, metrics,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      resources: ["page.css", "focus.js", "rows.js", "moves.js", "page.js"].map {
        .embedInCode("Assets/\($0)")
      },
      swiftSettings: strict),

    // GitHub's own renderer of Markdown, as packaged by Debian.
    .systemLibrary(
      name: "CMarkGFM", providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),

    // Hashes and authentication codes by OpenSSL: swift-crypto takes minutes to compile.
    .systemLibrary(name: "LibCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),

    .testTarget(
      name: "RepositoryCoreTests",
      dependencies: [
        "RepositoryCore", reactor, reactorComposition, reactorJournal, reactorTesting,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "RepositoryDemoTests",
      dependencies: [
        "RepositoryCore", "RepositoryDemo", reactor, reactorComposition, reactorJournal,
        reactorTesting, hummingbird, asyncHTTPClient, metrics,
        .product(name: "HummingbirdTesting", package: "hummingbird"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
