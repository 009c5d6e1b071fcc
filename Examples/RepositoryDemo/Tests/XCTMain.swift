// The entry point of the tests. With this file, SwiftPM needs no index of the code to find XCTest cases,
// of which there are none, and a build without an index takes less time.
import Testing

@main struct EntryPoint {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
