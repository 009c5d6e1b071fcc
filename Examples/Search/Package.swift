// swift-tools-version: 6.2
import PackageDescription

// A package as a user writes it: it uses only the library's products.
let package = Package(
  name: "Search",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Yours: .package(url: "<the repository's address>", from: "0.2.0", traits: ["Testing"])
    .package(name: "Reactor", path: "../..", traits: ["Testing"])
  ],
  targets: [
    .executableTarget(
      name: "Search", dependencies: [.product(name: "Reactor", package: "Reactor")],
      path: ".", exclude: ["SearchTests.swift"], sources: ["main.swift"]),
    .testTarget(
      name: "SearchTests",
      dependencies: [
        "Search",
        .product(name: "Reactor", package: "Reactor"),
        .product(name: "ReactorTesting", package: "Reactor"),
      ],
      path: ".", exclude: ["main.swift"], sources: ["SearchTests.swift"]),
  ],
  swiftLanguageModes: [.v6]
)
