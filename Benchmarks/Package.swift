// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of the library never resolve what it is measured with.
let package = Package(
  name: "ReactorBenchmarks",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "Reactor", path: ".."),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    // What is measured, and what it is measured against; each returns how long it took.
    .target(
      name: "Workloads",
      dependencies: [
        "CHeap",
        .product(name: "Reactor", package: "Reactor"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),

    // What glibc says about the heap, which Swift does not import.
    .target(name: "CHeap"),

    // The table of ratios.
    .executableTarget(
      name: "ReactorBenchmarks",
      dependencies: [
        "Workloads",
        .product(name: "ListChanges", package: "Reactor"),
        .product(name: "Reactor", package: "Reactor"),
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/ReactorBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")]),

    // How the cost grows; prints points for scripts/bench-plots.
    .executableTarget(
      name: "Growth",
      dependencies: ["Workloads", .product(name: "Reactor", package: "Reactor")]),

    // One workload, so and so many times, for callgrind to count.
    .executableTarget(name: "Instructions", dependencies: ["Workloads"]),
  ],
  swiftLanguageModes: [.v6]
)
