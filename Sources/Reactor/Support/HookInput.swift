/// What flows into `transform(action:)` or `transform(mutation:)`: an ordinary async sequence.
///
/// It never fails, ends when the reactor does, and can be iterated once: a second iterator sees
/// nothing, and that is reported. Operators of swift-async-algorithms take it as it is.
///
/// **Order**: as sent, or as emitted. Asking for the next element tells the pipeline that the last
/// one has been passed on; that is what receipts and `await emit(…)` wait for.
public struct HookInput<Element: Sendable>: AsyncSequence, Sendable {
  /// Nothing goes wrong here.
  public typealias Failure = Never

  /// `nil` stands for the input of a hook that nobody wrote.
  @usableFromInline let channel: HookChannel<Element>?

  @inlinable
  init(channel: HookChannel<Element>?) { self.channel = channel }

  /// Starts the one iteration.
  ///
  /// - Returns: An iterator; an empty one from the second call on.
  public func makeAsyncIterator() -> Iterator {
    Iterator(channel: channel.flatMap { $0.claim() ? $0 : nil })
  }

  /// Hands out the elements, one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    let channel: HookChannel<Element>?

    /// Waits for the next element, having passed the last one on.
    ///
    /// - Returns: The element; `nil` once the reactor has ended, or when the task is cancelled.
    public mutating func next() async -> Element? { await channel?.next() }

    /// Waits for the next element, having passed the last one on.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The element; `nil` once the reactor has ended, or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await channel?.next()
    }
  }
}
