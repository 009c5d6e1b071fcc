/// The lines of a console, each read only when it is asked for.
public struct ConsoleLines: AsyncSequence, Sendable {
  /// Asks the console for one line after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    let console: LineConsole

    /// The next line, or nil at the end of the input.
    ///
    /// - Parameter actor: The actor to wait on.
    /// - Returns: The line, or nil when there are no more.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> InputLine? {
      await console.nextLine(isolation: actor)
    }
  }

  let console: LineConsole

  /// Starts asking for lines; two iterators share them, each line goes to one.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(console: console)
  }
}
