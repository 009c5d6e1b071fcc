// Where the tests begin. With this file, SwiftPM needs no index of the code to
// find the cases of XCTest, and a build without an index takes less time.
import Testing

#if canImport(ReactorTestingTests)
  import XCTest

  @testable import ReactorTestingTests
#endif

@main struct EntryPoint {
  static func main() async {
    if CommandLine.arguments.contains("swift-testing") {
      await Testing.__swiftPMEntryPoint() as Never
    }
    #if canImport(ReactorTestingTests)
      XCTMain([testCase(UnderXCTest.allTests)])
    #endif
  }
}
