#if canImport(XCTest)
  import IssueReporting
  import XCTest

  /// Fails the test that runs under XCTest, with the message unchanged.
  ///
  /// The default reporter searches the stack for the test's frame, which is never there in a
  /// simulation, and then warns about a host application.
  struct XCTestReporter: IssueReporter {
    /// The current reporters, with this one in place of the default one if the test is XCTest's.
    static var reporters: [any IssueReporter] {
      let current = IssueReporters.current
      guard case .xcTest = TestContext.current else { return current }
      return current.map { $0 is _DefaultReporter ? XCTestReporter() : $0 }
    }

    func reportIssue(
      _ message: @autoclosure () -> String?, severity: IssueSeverity, fileID: StaticString,
      filePath: StaticString, line: UInt, column: UInt
    ) {
      XCTFail(message() ?? "", file: filePath, line: line)
    }
  }
#endif
