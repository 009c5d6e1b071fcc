// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that users of the library never resolve what it is measured with.
let package = Package(
  name: "ReactorBenchmarks",
  platforms: [.macOS(.v26)],
  dependencies: [
    .package(name: "Reactor", path: ".."),
    .package(url: "https://github.com/ordo-one/benchmark", from: "1.38.1", traits: []),
  ],
  targets: [
    .executableTarget(
      name: "ReactorBenchmarks",
      dependencies: [
        .product(name: "Reactor", package: "Reactor"),
        .product(name: "Benchmark", package: "benchmark"),
      ],
      path: "Benchmarks/ReactorBenchmarks",
      plugins: [.plugin(name: "BenchmarkPlugin", package: "benchmark")])
  ],
  swiftLanguageModes: [.v6]
)
