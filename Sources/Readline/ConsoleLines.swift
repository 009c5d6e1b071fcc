/// The lines of a console; each is read only when it is requested.
public struct ConsoleLines: AsyncSequence, Sendable {
  /// Requests one line after the other from the console.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let console: LineConsole

    /// Returns the next line, or nil at the end of the input.
    ///
    /// - Parameter actor: The actor to wait on.
    /// - Returns: The line, or nil if there are no more.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> InputLine? {
      await console.nextLine(isolation: actor)
    }
  }

  let console: LineConsole

  /// Creates an iterator; two iterators share the lines, and each line is delivered to one of them.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(console: console)
  }
}
