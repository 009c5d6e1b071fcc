import ReactorRuntime

/// Hands a hook its input, one element at a time.
@usableFromInline
struct HookIterator<Element: Sendable>: AsyncIteratorProtocol {
  @usableFromInline let channel: HookChannel<Element>?
  /// What iterates the sequences that are merged in, for as long as this is there.
  private let merging: HookMerging

  /// Takes the channel's one place for a consumer, if it is still free.
  ///
  /// - Parameters:
  ///   - channel: The channel.
  ///   - sources: What asks other sequences, and puts what they have into the channel.
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

  /// Waits for the next element, having passed the last one on.
  ///
  /// - Parameter actor: Where the caller runs.
  /// - Returns: The element; `nil` once the reactor has ended, or when the task is cancelled.
  @inlinable
  mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
    await channel?.next()
  }
}

/// The tasks that iterate merged sequences: cancelled when this is released.
private final class HookMerging: Sendable {
  private let tasks: [Task<Void, Never>]

  init(tasks: [Task<Void, Never>]) { self.tasks = tasks }

  deinit { for task in tasks { task.cancel() } }
}
