#if canImport(XCTest)
  import IssueReporting
  import XCTest

  /// Fails the test that runs under XCTest, with the message as it is.
  ///
  /// The default one looks for the test's frame on the stack, which a simulation's never has, and
  /// warns of a host application where it finds none.
  struct XCTestReporter: IssueReporter {
    /// Those that are in place, with this for the default one where the test is XCTest's.
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
