public import Reactor

extension ReactorTest {
  /// Asserts that the reactor has restarted, and what that has changed.
  ///
  /// ```swift
  /// await test.reactor.restart(from: .init(value: 5))
  /// await test.receiveRestart { $0.value = 5 }
  /// ```
  ///
  /// A restart that leaves the state unchanged need not be received.
  ///
  /// - Parameters:
  ///   - change: Modifies the previous state to the expected one; by default, no change is
  ///     expected.
  ///   - fileID: The source location of the step; leave it and the next three parameters out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  public func receiveRestart(
    _ change: @Sendable (inout R.State) throws -> Void = { _ in },
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async {
    let place = TestPlace(fileID, filePath, line, column)
    guard await settle(at: place) else { return }
    journal.assertRestart(change, at: place)
  }
}
