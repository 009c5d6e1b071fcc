// swift-tools-version: 6.2
import PackageDescription

/// What every target is built with: warnings are errors, and imports say what they use.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

/// Whether another package's build reads this manifest.
///
/// That resolves nothing of what the demos and the tests need. Read straight from a repository, a
/// manifest has no folder; later it is in the folder of that build's checkouts. See
/// docs/decisions/0020-packages.md.
let folders = Context.packageDirectory.split(separator: "/")
let isDependency = folders.isEmpty || folders.dropLast().last == "checkouts"

let forDevelopment = TargetDependencyCondition.when(traits: ["Development"])
let forInstrumentation = TargetDependencyCondition.when(traits: ["Instrumentation"])
let forTesting = TargetDependencyCondition.when(traits: ["Testing"])
let inServices = TargetDependencyCondition.when(traits: ["Lifecycle"])
let inClusters = TargetDependencyCondition.when(traits: ["Distribution"])
let onHummingbird = TargetDependencyCondition.when(traits: ["Hummingbird"])

let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser", condition: forDevelopment)
let asyncAlgorithms = Target.Dependency.product(
  name: "AsyncAlgorithms", package: "swift-async-algorithms", condition: forDevelopment)
let grdb = Target.Dependency.product(
  name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["Development", "Journal"]))
let grdbSQLite = Target.Dependency.product(
  name: "GRDBSQLite", package: "GRDB.swift", condition: .when(traits: ["Development", "Journal"]))
let customDump = Target.Dependency.product(
  name: "CustomDump", package: "swift-custom-dump", condition: forTesting)
let issueReporting = Target.Dependency.product(
  name: "IssueReporting", package: "xctest-dynamic-overlay", condition: forTesting)
let logs = Target.Dependency.product(
  name: "Logging", package: "swift-log", condition: forInstrumentation)
let metrics = Target.Dependency.product(
  name: "Metrics", package: "swift-metrics", condition: forInstrumentation)
let tracing = Target.Dependency.product(
  name: "Tracing", package: "swift-distributed-tracing", condition: forInstrumentation)
let inMemoryLogs = Target.Dependency.product(
  name: "InMemoryLogging", package: "swift-log", condition: forInstrumentation)
let metricsTestKit = Target.Dependency.product(
  name: "MetricsTestKit", package: "swift-metrics", condition: forInstrumentation)
let inMemoryTracing = Target.Dependency.product(
  name: "InMemoryTracing", package: "swift-distributed-tracing", condition: forInstrumentation)
/// What lets issues reach Swift Testing and XCTest, whichever the tests are written with.
let issueReportingSupport = Target.Dependency.product(
  name: "IssueReportingTestSupport", package: "xctest-dynamic-overlay", condition: forTesting)

let serviceLifecycle = Target.Dependency.product(
  name: "ServiceLifecycle", package: "swift-service-lifecycle", condition: inServices)
let logging = Target.Dependency.product(
  name: "Logging", package: "swift-log", condition: inServices)
let hummingbird = Target.Dependency.product(
  name: "Hummingbird", package: "hummingbird", condition: onHummingbird)

/// What tests of services stand on, and the example that is one.
let lifecycleTestKit = Target.Dependency.product(
  name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle", condition: inServices)
let inMemoryLogging = Target.Dependency.product(
  name: "InMemoryLogging", package: "swift-log", condition: inServices)
let hummingbirdTesting = Target.Dependency.product(
  name: "HummingbirdTesting", package: "hummingbird", condition: onHummingbird)
let asyncHTTPClient = Target.Dependency.product(
  name: "AsyncHTTPClient", package: "async-http-client", condition: forDevelopment)
let clusterHTTPClient = Target.Dependency.product(
  name: "AsyncHTTPClient", package: "async-http-client", condition: inClusters)
let configuration = Target.Dependency.product(
  name: "Configuration", package: "swift-configuration", condition: forDevelopment)

let package = Package(
  name: "Reactor",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "Reactor", targets: ["Reactor"]),
    .library(name: "ReactorComposition", targets: ["ReactorComposition"]),
    .library(name: "ReactorObservation", targets: ["ReactorObservation"]),
    .library(name: "ReactorDependencies", targets: ["ReactorDependencies"]),
    .library(name: "ListChanges", targets: ["ListChanges"]),
    .library(name: "ReactorTesting", targets: ["ReactorTesting"]),
    .library(name: "ReactorInstrumentation", targets: ["ReactorInstrumentation"]),
    .library(name: "ReactorLifecycle", targets: ["ReactorLifecycle"]),
    .library(name: "ReactorHummingbird", targets: ["ReactorHummingbird"]),
    .library(name: "ReactorJournal", targets: ["ReactorJournal"]),
    .library(name: "ReactorJournalTesting", targets: ["ReactorJournalTesting"]),
    .library(name: "ReactorREPL", targets: ["ReactorREPL"]),
    .library(name: "ReactorREPLTesting", targets: ["ReactorREPLTesting"]),
    .library(name: "ReactorDistribution", targets: ["ReactorDistribution"]),
    .executable(name: "BookingOffice", targets: ["BookingOffice"]),
    .executable(name: "ClusterDemo", targets: ["ClusterDemo"]),
    .executable(name: "CounterDemo", targets: ["CounterDemo"]),
    .executable(name: "TaskListDemo", targets: ["TaskListDemo"]),
  ],
  traits: [
    .default(
      enabledTraits: isDependency
        ? []
        : [
          "Testing", "Instrumentation", "Hummingbird", "Journal", "Distribution", "Development",
        ]),
    .trait(name: "Testing", description: "ReactorTesting, and the packages it stands on."),
    .trait(
      name: "Instrumentation",
      description: "ReactorInstrumentation, and the packages it stands on."),
    .trait(name: "Lifecycle", description: "ReactorLifecycle, and the packages it stands on."),
    .trait(
      name: "Hummingbird", description: "ReactorHummingbird, and the packages it stands on.",
      enabledTraits: ["Lifecycle"]),
    .trait(name: "Journal", description: "ReactorJournal, and the package it stands on."),
    .trait(
      name: "Distribution", description: "ReactorDistribution, and the packages it stands on.",
      enabledTraits: ["Journal", "Hummingbird"]),
    .trait(
      name: "Libedit",
      description: "ReactorREPL links libedit, which is not GPL, in place of GNU readline."),
    .trait(name: "Development", description: "What the demos and tests of this package need."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/apple/swift-async-algorithms", from: "1.1.4"),
    .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.0"),
    .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
    .package(url: "https://github.com/pointfreeco/swift-custom-dump", from: "1.7.3"),
    .package(url: "https://github.com/pointfreeco/xctest-dynamic-overlay", from: "1.13.1"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
    .package(url: "https://github.com/swift-server/async-http-client", from: "1.30.0"),
    .package(url: "https://github.com/apple/swift-configuration", from: "1.0.0"),
  ],
  targets: [
    // The library depends on nothing outside the package.
    .target(
      name: "Reactor", dependencies: ["ReactorMachines", "ReactorRuntime"], swiftSettings: strict),

    // The decisions of the engine, as values: no lock, no task, no type of a reactor's.
    .target(name: "ReactorMachines", swiftSettings: strict),

    // Locks, latches, the making of tasks, the seam for a simulation, and what Swift does not check;
    // no type of a reactor's.
    .target(name: "ReactorRuntime", swiftSettings: strict),

    // What is made of several reactors: groups, registries, children; and reactors made of parts.
    .target(
      name: "ReactorComposition", dependencies: ["Reactor", "ReactorRuntime"],
      swiftSettings: strict),

    // What turns one list into the next; stands alone.
    .target(name: "ListChanges", swiftSettings: strict),

    // What reactors need of the world, and others in a test.
    .target(name: "ReactorDependencies", dependencies: ["Reactor"], swiftSettings: strict),

    // A mirror on the main actor and bindings, for user interfaces.
    .target(
      name: "ReactorObservation", dependencies: ["ListChanges", "Reactor", "ReactorRuntime"],
      swiftSettings: strict),

    // Reactors whose mutations are kept; stands on SQLite.
    .target(
      name: "ReactorJournal",
      dependencies: ["Reactor", "ReactorRuntime", "JournalTrait", grdb, grdbSQLite],
      swiftSettings: strict),

    // Says which trait is missing, before anything else of ReactorJournal does not compile.
    .target(name: "JournalTrait", swiftSettings: strict),

    // Reactors over many hosts; stands on PostgreSQL, and on HTTP between hosts.
    .target(
      name: "ReactorDistribution",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorJournal", "ReactorRuntime", "DistributionTrait",
        "CPostgres", hummingbird, clusterHTTPClient,
      ],
      swiftSettings: strict),
    .target(name: "DistributionTrait", swiftSettings: strict),
    .systemLibrary(name: "CPostgres", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),

    // For tests of reactors; nothing else links it.
    .target(
      name: "ReactorTesting",
      dependencies: [
        "Reactor", "ReactorDependencies", "ReactorRuntime", "TestingTrait", customDump,
        issueReporting, issueReportingSupport,
      ],
      swiftSettings: strict),

    // For tests of programs, on pipes and pseudo-terminals; a part of ReactorREPLTesting.
    .target(
      name: "ProgramTesting", dependencies: ["Reactor", "ReactorRuntime"], swiftSettings: strict),

    // For tests of consoles: in memory, and of whole programs.
    .target(
      name: "ReactorREPLTesting",
      dependencies: [
        "Reactor", "ReactorRuntime", "ReactorTesting", "ReactorREPL", "Readline", "CommandShell",
        "ProgramTesting",
      ],
      swiftSettings: strict),

    // For tests of journaled reactors: golden journals, replays, recordings as tests.
    .target(
      name: "ReactorJournalTesting",
      dependencies: ["Reactor", "ReactorJournal", "ReactorRuntime", "ReactorTesting"],
      swiftSettings: strict),

    // Logs, metrics and traces of what reactors do.
    .target(
      name: "ReactorInstrumentation",
      dependencies: ["Reactor", "ReactorRuntime", "InstrumentationTrait", logs, metrics, tracing],
      swiftSettings: strict),
    .target(name: "InstrumentationTrait", swiftSettings: strict),

    // Says which trait is missing, before anything else of ReactorTesting does not compile.
    .target(name: "TestingTrait", swiftSettings: strict),

    // Reactors in a service group: drained with a deadline.
    .target(
      name: "ReactorLifecycle",
      dependencies: ["Reactor", "ReactorRuntime", "LifecycleTrait", serviceLifecycle, logging],
      swiftSettings: strict),

    // Routes to reactors: actions, states, live states, health.
    .target(
      name: "ReactorHummingbird",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorLifecycle", "ReactorRuntime", "HummingbirdTrait",
        hummingbird,
      ],
      swiftSettings: strict),

    // Each says which trait is missing, before anything else does not compile.
    .target(name: "LifecycleTrait", swiftSettings: strict),
    .target(name: "HummingbirdTrait", swiftSettings: strict),

    // Lines to commands, and back: words, parameters, help, Tab; text and how wide it is. Stands alone.
    .target(name: "CommandShell", swiftSettings: strict),

    // A console bound to reactors. GNU readline is GPL: only what uses ReactorREPL links it, and
    // with the trait Libedit nothing does: CReadline is not imported then.
    .systemLibrary(name: "CReadline", providers: [.apt(["libreadline-dev"])]),
    .target(
      name: "CEditline",
      cSettings: [.define("REACTOR_LIBEDIT", .when(traits: ["Libedit"]))],
      linkerSettings: [.linkedLibrary("edit", .when(traits: ["Libedit"]))]),
    .target(
      name: "Readline",
      dependencies: [
        "CReadline", .target(name: "CEditline", condition: .when(traits: ["Libedit"])),
        "CommandShell", "Reactor", "ReactorRuntime",
      ],
      swiftSettings: strict),
    .target(
      name: "ReactorREPL",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorRuntime", "Readline", "CommandShell",
      ],
      swiftSettings: strict),

    // Code that the demos share: their arguments, the directory of their files, reports of a journal.
    .target(
      name: "DemoSupport", dependencies: ["Reactor", "ReactorREPL", argumentParser],
      swiftSettings: strict),

    .executableTarget(
      name: "CounterDemo",
      dependencies: ["DemoSupport", "Reactor", "ReactorJournal", "ReactorREPL", argumentParser],
      exclude: ["README.md"], swiftSettings: strict),

    // The task list's tasks, their names, its database and the format of its files.
    .target(
      name: "TaskStore", dependencies: ["Reactor", "CommandShell", grdb], packageAccess: false,
      swiftSettings: strict),

    .executableTarget(
      name: "TaskListDemo",
      dependencies: [
        "DemoSupport", "TaskStore", "Reactor", "ReactorREPL", "CommandShell", "Readline",
        argumentParser,
      ],
      exclude: ["README.md"], packageAccess: false, swiftSettings: strict),

    // The example of a console.
    .executableTarget(
      name: "EggTimer", dependencies: ["Reactor", "ReactorREPL"], path: "Examples/EggTimer",
      packageAccess: false, swiftSettings: strict),

    // The example of a console that is tested.
    .executableTarget(
      name: "Groceries", dependencies: ["Reactor", "ReactorREPL"], path: "Examples/Groceries",
      packageAccess: false, swiftSettings: strict),

    // The example of a reactor of parts, with children, middleware and dependencies.
    .executableTarget(
      name: "TeaBar", dependencies: ["Reactor", "ReactorComposition", "ReactorDependencies"],
      path: "Examples/TeaBar", packageAccess: false, swiftSettings: strict),

    // The example of a reactor on the main actor, and of a recording.
    .executableTarget(
      name: "Thermostat", dependencies: ["Reactor", "ReactorJournal", "ReactorObservation"],
      path: "Examples/Thermostat", packageAccess: false, swiftSettings: strict),

    // The example: a service.
    .executableTarget(
      name: "BookingOffice",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorLifecycle", "ReactorHummingbird",
        "ReactorJournal", "ReactorInstrumentation", hummingbird, serviceLifecycle, logging, metrics,
        configuration,
      ],
      path: "Examples/BookingOffice", swiftSettings: strict),

    .executableTarget(
      name: "ClusterDemo",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorDistribution", "ReactorJournal", "ReactorREPL",
      ],
      path: "Examples/ClusterDemo", swiftSettings: strict),

    .testTarget(
      name: "ReactorTests",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorMachines", "ReactorRuntime", "CThreadSanitizer",
        "TestLimits", "TestSupport", asyncAlgorithms,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReactorCompositionTests",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorMachines", "ReactorRuntime", "TestLimits",
        "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReactorMachinesTests", dependencies: ["ReactorMachines", "TestLimits"],
      swiftSettings: strict),
    .testTarget(
      name: "ListChangesTests", dependencies: ["ListChanges", "TestLimits"],
      swiftSettings: strict),
    .testTarget(
      name: "ReactorDependenciesTests",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorDependencies", "TestLimits", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReactorObservationTests",
      dependencies: [
        "ListChanges", "Reactor", "ReactorObservation", "TestLimits", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReactorJournalTests",
      dependencies: [
        "ReactorJournal", "ReactorJournalTesting", "JournalFixture", "Reactor",
        "ReactorComposition", "ReactorRuntime", "ReactorTesting", "ProgramTesting", "TestLimits",
        "TestSupport", grdb, grdbSQLite,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReactorDistributionTests",
      dependencies: [
        "ReactorDistribution", "ClusterFixture", "ReactorComposition", "ReactorJournal",
        "ReactorJournalTesting", "Reactor", "ReactorRuntime", "ReactorTesting",
        "ProgramTesting", "TestLimits", "TestSupport", clusterHTTPClient,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReactorTestingTests",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorDependencies", "ReactorRuntime",
        "ReactorTesting", "ProgramTesting", "TestLimits", "TestSupport", asyncAlgorithms,
        customDump, issueReporting,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReactorInstrumentationTests",
      dependencies: [
        "Reactor", "ReactorInstrumentation", "TestLimits", "TestSupport", logs, metrics, tracing,
        inMemoryLogs,
        metricsTestKit, inMemoryTracing,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReactorLifecycleTests",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorLifecycle", "ReactorRuntime", "TestLimits",
        "TestSupport", serviceLifecycle, lifecycleTestKit, logging, inMemoryLogging,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReactorHummingbirdTests",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorHummingbird", "ReactorLifecycle", "BookingOffice",
        "ServedFixture", "ReactorDistribution", "ReactorInstrumentation", "ReactorJournal",
        "ReactorJournalTesting", "ReactorRuntime", "ProgramTesting", "TestLimits", "TestSupport",
        hummingbird, hummingbirdTesting, asyncHTTPClient, serviceLifecycle, lifecycleTestKit,
        logging, inMemoryLogging, tracing, inMemoryTracing,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ReadlineTests",
      dependencies: [
        "Readline", "CommandShell", "Reactor", "ReactorRuntime", "ReadlineFixture",
        "ProgramTesting", "TestLimits", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CommandShellTests", dependencies: ["CommandShell", "TestLimits"], swiftSettings: strict
    ),
    .testTarget(
      name: "ReactorREPLTests",
      dependencies: [
        "ReactorREPL", "ReactorREPLTesting", "CommandShell", "Readline", "Reactor",
        "ReactorComposition", "ReactorRuntime", "ReactorTesting", "ConsoleFixture", "EggTimer",
        "TestLimits",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "CounterDemoTests",
      dependencies: [
        "CounterDemo", "Reactor", "ReactorREPL", "ReactorJournal", "ReactorJournalTesting",
        "ReactorTesting", "ReactorREPLTesting", "TestLimits", "TestSupport",
      ],
      exclude: ["Golden", "Support/built-already"],
      swiftSettings: strict),
    .testTarget(
      name: "TaskListDemoTests",
      dependencies: [
        "TaskListDemo", "TaskStore", "Reactor", "ReactorREPL", "CommandShell", "Readline",
        "ReactorTesting",
        "ReactorREPLTesting", "TestLimits", "TestSupport", argumentParser, grdb,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "NearMissTests",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorJournal", "ReactorJournalTesting",
        "ReactorTesting", "ProgramTesting",
        "TestLimits",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DocumentationTests",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorDependencies", "ReactorObservation",
        "ReactorTesting", "ReactorJournal", "ReactorJournalTesting", "ReactorLifecycle",
        "ReactorREPL", "ReactorRuntime", "ListChanges", "EggTimer", "TeaBar", "Thermostat",
        "ProgramTesting", "TestLimits", "TestSupport", asyncAlgorithms, serviceLifecycle, logging,
        "ReactorInstrumentation", inMemoryLogs, tracing, inMemoryTracing,
      ],
      exclude: ["Golden"],
      swiftSettings: strict),
    // Of pages about services and clusters, so that a build without HTTP has all others.
    .testTarget(
      name: "ServiceDocumentationTests",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorTesting", "ReactorJournal", "ReactorLifecycle",
        "ReactorHummingbird", "ReactorDistribution", "TestLimits", "TestSupport", asyncHTTPClient,
        hummingbird, hummingbirdTesting, serviceLifecycle, logging,
      ],
      swiftSettings: strict),

    // Of the page about tests of consoles, so that it is tested with each line editor.
    .testTarget(
      name: "ConsoleDocumentationTests",
      dependencies: [
        "Groceries", "Reactor", "ReactorREPL", "ReactorREPLTesting", "ReactorTesting",
        "ProgramTesting", "TestLimits",
      ],
      swiftSettings: strict),

    // How often tests repeat what they do, and how long each may take. Depends on nothing.
    .target(name: "TestLimits", path: "Tests/TestLimits", swiftSettings: strict),

    // What the tests stand on: gates, logs and clocks; and what the thread sanitizer is told.
    .target(
      name: "TestSupport",
      dependencies: ["Reactor", "ReactorRuntime", "ListChanges", "TestLimits"],
      path: "Tests/TestSupport", swiftSettings: strict),
    .target(name: "CThreadSanitizer", path: "Tests/CThreadSanitizer"),
    .executableTarget(
      name: "ClusterFixture",
      dependencies: ["ReactorDistribution", "ReactorComposition", "ReactorJournal", "Reactor"],
      path: "Tests/ClusterFixture", swiftSettings: strict),
    .executableTarget(
      name: "JournalFixture", dependencies: ["ReactorJournal", "Reactor"],
      path: "Tests/JournalFixture", swiftSettings: strict),
    .executableTarget(
      name: "ServedFixture",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorHummingbird", "ReactorLifecycle",
        "ReactorRuntime", hummingbird, serviceLifecycle, logging,
      ],
      path: "Tests/ServedFixture", swiftSettings: strict),
    // What `make bench-service` measures: a service on reactors beside one on bare actors.
    .executableTarget(
      name: "ServiceBench",
      dependencies: [
        "Reactor", "ReactorComposition", "ReactorHummingbird", "ReactorLifecycle",
        "ReactorRuntime", hummingbird, serviceLifecycle, logging,
      ],
      path: "Benchmarks/Service", swiftSettings: strict),
    // What `make bench-cluster` measures: hosts, and what they cannot be faster than.
    .executableTarget(
      name: "ClusterBench",
      dependencies: [
        "Reactor", "ReactorDistribution", "ReactorJournal", "CPostgres", hummingbird,
        clusterHTTPClient, logging,
      ],
      path: "Benchmarks/Cluster", swiftSettings: strict),
    .executableTarget(
      name: "ConsoleFixture", dependencies: ["ReactorREPL", "Reactor"],
      path: "Tests/ConsoleFixture", swiftSettings: strict),
    .executableTarget(
      name: "NestedFixture", dependencies: ["Reactor", "ReactorRuntime"],
      path: "Tests/NestedFixture", swiftSettings: strict),
    .executableTarget(
      name: "ReadlineFixture",
      dependencies: ["Readline", "CommandShell", "Reactor", "ReactorRuntime"],
      path: "Tests/ReadlineFixture", swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)

// Programs that only measure are no part of a build but where `REACTOR_BENCH` is set.
if Context.environment["REACTOR_BENCH"] == nil {
  package.targets.removeAll { ["ServiceBench", "ClusterBench"].contains($0.name) }
}

/// What `REACTOR_ONLY=core` and the other names build, as `make core`.
///
/// Everything else, and each package that only it needs, is left out of the manifest, so that an
/// edit is built and tested quickly.
struct PackagePart {
  var targets: Set<String>
  var packages: Set<String> = []
}

let valuesPart = PackagePart(targets: [
  "ListChanges", "CommandShell", "ReactorMachines", "TestLimits", "ListChangesTests",
  "CommandShellTests", "ReactorMachinesTests",
])
let corePart = PackagePart(
  targets: [
    "Reactor", "ReactorComposition", "ReactorDependencies", "ReactorMachines",
    "ReactorRuntime", "ReactorObservation", "ReactorTesting", "TestingTrait", "ListChanges",
    "TestLimits", "TestSupport", "ProgramTesting", "CThreadSanitizer", "ReactorTests",
    "ReactorCompositionTests", "ReactorDependenciesTests", "ReactorObservationTests",
    "ReactorTestingTests",
  ],
  packages: ["swift-async-algorithms", "swift-custom-dump", "xctest-dynamic-overlay"])
/// Consoles and their tests, which are run with each line editor.
let consolePart = PackagePart(
  targets: corePart.targets.subtracting([
    "CThreadSanitizer", "ReactorTests", "ReactorCompositionTests", "ReactorDependenciesTests",
    "ReactorObservationTests", "ReactorTestingTests",
  ]).union([
    "CommandShell", "CEditline", "CReadline", "Readline", "ReactorREPL", "ReactorREPLTesting",
    "EggTimer", "ConsoleFixture", "Groceries", "ReadlineFixture", "CommandShellTests",
    "ReadlineTests", "ReactorREPLTests", "ConsoleDocumentationTests",
  ]),
  packages: ["swift-custom-dump", "xctest-dynamic-overlay"])
let journalPart = PackagePart(
  targets: corePart.targets.union([
    "ReactorJournal", "JournalTrait", "ReactorJournalTesting", "JournalFixture",
    "ReactorJournalTests",
  ]),
  packages: corePart.packages.union(["GRDB.swift"]))
/// All but servers, clusters and their tests, whose packages take two fifths of a whole build.
let localPart = PackagePart(
  targets: Set(package.targets.map(\.name)).subtracting([
    "ReactorHummingbird", "HummingbirdTrait", "ReactorDistribution", "DistributionTrait",
    "CPostgres", "BookingOffice", "ClusterDemo", "ServiceBench", "ClusterBench",
    "ClusterFixture", "ServedFixture", "ReactorHummingbirdTests", "ReactorDistributionTests",
    "ServiceDocumentationTests",
  ]),
  packages: [
    "swift-argument-parser", "GRDB.swift", "swift-async-algorithms",
    "swift-distributed-tracing", "swift-metrics", "swift-custom-dump", "xctest-dynamic-overlay",
    "swift-service-lifecycle", "swift-log",
  ])

let parts = [
  "values": valuesPart, "core": corePart, "console": consolePart, "journal": journalPart,
  "local": localPart,
]

if let name = Context.environment["REACTOR_ONLY"], !name.isEmpty, !isDependency {
  guard let part = parts[name] else {
    fatalError(
      "REACTOR_ONLY is '\(name)'; it can be "
        + parts.keys.sorted().joined(separator: ", "))
  }
  package.targets.removeAll { !part.targets.contains($0.name) }
  package.products.removeAll { !part.targets.contains($0.name) }
  package.dependencies.removeAll { dependency in
    guard case .sourceControl(_, let location, _) = dependency.kind else { return true }
    return !part.packages.contains { location.hasSuffix("/\($0)") }
  }
}
