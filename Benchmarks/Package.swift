// swift-tools-version: 6.2
import PackageDescription

/// As strict as the library itself.
let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .treatAllWarnings(as: .error),
]

// A package of its own, so that users of the library never resolve what it is measured with.
let package = Package(
  name: "ReactorBenchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Without what its demos and tests need.
    .package(name: "Reactor", path: "..", traits: []),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    // What is measured, and what it is measured against; each returns what it took.
    .target(
      name: "Workloads",
      dependencies: [
        "CProcess", "StoreShape",
        .product(name: "Reactor", package: "Reactor"),
        .product(name: "ReactorComposition", package: "Reactor"),
        .product(name: "ListChanges", package: "Reactor"),
        .product(name: "OpenCombine", package: "OpenCombine"),
        .product(name: "OpenCombineDispatch", package: "OpenCombine"),
      ],
      swiftSettings: strict),

    // What the C library says of the process, in a form that Swift imports everywhere.
    .target(name: "CProcess"),

    // ReSwift's shape, which is not a dependency: a module of its own, as it would be.
    .target(name: "StoreShape", swiftSettings: strict),

    // Measures one group of contenders; ratios.py runs it many times and makes the table.
    .executableTarget(
      name: "Ratios",
      dependencies: ["CProcess", "Workloads", .product(name: "Reactor", package: "Reactor")],
      swiftSettings: strict),

    // How the cost grows; prints points for plots.py.
    .executableTarget(
      name: "Growth",
      dependencies: ["Workloads", .product(name: "Reactor", package: "Reactor")],
      swiftSettings: strict),

    // What idle reactors weigh; weights.py makes the table and checks it.
    .executableTarget(
      name: "Weights",
      dependencies: [
        "CProcess", .product(name: "Reactor", package: "Reactor"),
        .product(name: "ReactorComposition", package: "Reactor"),
      ],
      swiftSettings: strict),

    // One workload, so and so many times, for callgrind to count.
    .executableTarget(
      name: "Instructions",
      dependencies: ["Workloads", .product(name: "Reactor", package: "Reactor")],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
