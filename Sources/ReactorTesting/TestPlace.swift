import IssueReporting

/// The source location of a step in a test.
package struct TestPlace: Sendable {
  package let fileID: StaticString
  package let filePath: StaticString
  package let line: UInt
  package let column: UInt

  package init(_ fileID: StaticString, _ filePath: StaticString, _ line: UInt, _ column: UInt) {
    (self.fileID, self.filePath, self.line, self.column) = (fileID, filePath, line, column)
  }

  package func fail(_ message: String) {
    IssueDetector.recordIssue()
    record(message)
  }

  private func record(_ message: String) {
    let seed = Simulation.currentSeed
    let order =
      "\n\nThis is the order of seed \(seed); among several, REACTOR_SEED=\(seed) runs it alone."
    let text = seed == 0 ? message : message + order
    #if canImport(XCTest)
      withIssueReporters(XCTestReporter.reporters) { report(text) }
    #else
      report(text)
    #endif
  }

  private func report(_ text: String) {
    reportIssue(text, fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Reports what a relaxed test has skipped, without failing the test.
  func note(_ message: String) {
    #if !canImport(ObjectiveC)
      // On this platform XCTest has no expected failures.
      if case .xcTest = TestContext.current { return print("\(fileID):\(line): \(message)") }
    #endif
    withExpectedIssue(isIntermittent: true) { record(message) }
  }
}
