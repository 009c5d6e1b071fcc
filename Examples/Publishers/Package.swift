// swift-tools-version: 6.2
import PackageDescription

// Publishers and reactors: adapters to copy. On Apple platforms, write `import Combine` instead of `import OpenCombine`.
let package = Package(
  name: "Publishers",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "ReactorPublishers", targets: ["ReactorPublishers"])],
  dependencies: [
    // Yours: .package(url: "<the repository's address>", from: "0.2.0", traits: [])
    .package(name: "Reactor", path: "../..", traits: []),
    .package(url: "https://github.com/OpenCombine/OpenCombine", from: "0.14.0"),
  ],
  targets: [
    .target(
      name: "ReactorPublishers",
      dependencies: [
        .product(name: "Reactor", package: "Reactor"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
    .testTarget(
      name: "ReactorPublishersTests",
      dependencies: [
        "ReactorPublishers",
        .product(name: "Reactor", package: "Reactor"),
        .product(name: "OpenCombine", package: "OpenCombine"),
      ]),
  ],
  swiftLanguageModes: [.v6]
)
