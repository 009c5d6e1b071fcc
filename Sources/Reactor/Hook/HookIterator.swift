import ReactorRuntime

/// Iterates a hook's input, one element at a time.
@usableFromInline
struct HookIterator<Element: Sendable>: AsyncIteratorProtocol {
  @usableFromInline let channel: HookChannel<Element>?
  /// The tasks that iterate the merged sequences, for as long as this object exists.
  private let merging: HookMerging

  /// Becomes the consumer of the channel, unless it has one already.
  ///
  /// - Parameters:
  ///   - channel: The channel.
  ///   - sources: Iterate other sequences, and push their elements into the channel.
  @usableFromInline
  init(
    claiming channel: HookChannel<Element>?,
    merging sources: [@Sendable (HookChannel<Element>) async -> Void] = []
  ) {
    let claimed = channel.flatMap { $0.claim() ? $0 : nil }
    self.channel = claimed
    merging = HookMerging(
      tasks: sources.compactMap { source in
        claimed.map { channel in PipelineTasks.make { await source(channel) } }
      })
  }

  /// Passes the last element on, and waits for the next.
  ///
  /// - Parameter actor: Where the caller runs.
  /// - Returns: The element; `nil` once the reactor has ended, or when the task is cancelled.
  @inlinable
  mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
    await channel?.next()
  }
}

/// The tasks that iterate merged sequences, which are cancelled when this object is released.
private final class HookMerging: Sendable {
  private let tasks: [Task<Void, Never>]

  init(tasks: [Task<Void, Never>]) { self.tasks = tasks }

  deinit { for task in tasks { task.cancel() } }
}
