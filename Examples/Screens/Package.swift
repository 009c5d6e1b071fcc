// swift-tools-version: 6.2
import PackageDescription

// Screens for SwiftUI and UIKit. On Linux, only the reactors are compiled; the workflow in
// .github/workflows/apple.yml compiles all of it on macOS and for iOS. It has never run.
let package = Package(
  name: "Screens",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
  products: [.library(name: "Screens", targets: ["Screens"])],
  dependencies: [.package(name: "Reactor", path: "../..", traits: [])],
  targets: [
    .target(
      name: "Screens",
      dependencies: [
        .product(name: "Reactor", package: "Reactor"),
        .product(name: "ReactorObservation", package: "Reactor"),
        .product(name: "ListChanges", package: "Reactor"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
