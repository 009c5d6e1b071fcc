/// Hands a hook its input, one element at a time.
@usableFromInline
struct HookIterator<Element: Sendable>: AsyncIteratorProtocol {
  @usableFromInline let channel: HookChannel<Element>?

  /// Takes the channel's one place for a consumer, if it is still free.
  @inlinable
  init(claiming channel: HookChannel<Element>?) {
    self.channel = channel.flatMap { $0.claim() ? $0 : nil }
  }

  /// Waits for the next element, having passed the last one on.
  ///
  /// - Returns: The element; `nil` once the reactor has ended, or when the task is cancelled.
  @inlinable
  mutating func next() async -> Element? {
    guard let channel else { return nil }
    return await channel.next()
  }

  /// Waits for the next element, having passed the last one on.
  ///
  /// - Parameter actor: Where the caller runs.
  /// - Returns: The element; `nil` once the reactor has ended, or when the task is cancelled.
  @inlinable
  mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
    guard let channel else { return nil }
    return await channel.next()
  }
}
