import ReactorRuntime

/// What comes into a hook, and what comes from elsewhere: each as it comes.
///
/// Made by ``ReactorMutations/merging(_:)`` and ``ReactorActions/merging(_:)``. It ends when the
/// reactor does, whoever else goes on; a sequence that ends earlier is no longer asked, that is
/// all.
///
/// **Order**: of each source, its own. **Back pressure**: another sequence is asked for its next
/// element when the hook has passed the last one on.
public struct _MergedInput<Element: Sendable>: AsyncSequence, Sendable {
  /// Nothing goes wrong here.
  public typealias Failure = Never

  /// Asks another sequence for all it has, and puts it where the hook's input is.
  typealias Source = @Sendable (HookChannel<Element>) async -> Void

  let channel: HookChannel<Element>?
  let sources: [Source]

  /// Starts the one iteration, and with it that of the others.
  ///
  /// - Returns: An iterator; an empty one from the second call on.
  public func makeAsyncIterator() -> Iterator { Iterator(channel, sources) }

  /// Takes in one more sequence.
  ///
  /// - Parameter other: The sequence; iterated by a task of its own.
  /// - Returns: This, and what comes of the other.
  public func merging<Other: AsyncSequence<Element, Never> & Sendable>(
    _ other: Other
  ) -> _MergedInput {
    _MergedInput(channel: channel, sources: sources + [Self.source(other)])
  }

  static func source<Other: AsyncSequence<Element, Never> & Sendable>(_ other: Other) -> Source {
    { channel in
      for await element in other {
        let latch = Latch()
        guard channel.push(element, ticket: .outside(latch)) else { return }
        await latch.wait()
      }
    }
  }

  /// Goes through a ``_MergedInput``.
  public struct Iterator: AsyncIteratorProtocol {
    private let channel: HookChannel<Element>?
    private let others: Tasks

    init(_ channel: HookChannel<Element>?, _ sources: [Source]) {
      self.channel = channel.flatMap { $0.claim() ? $0 : nil }
      others = Tasks(
        self.channel.map { channel in sources.map { source in { await source(channel) } } })
    }

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

  /// What iterates the others, for as long as somebody iterates the whole.
  private final class Tasks: Sendable {
    private let tasks: [Task<Void, Never>]

    init(_ bodies: [@Sendable () async -> Void]?) {
      tasks = (bodies ?? []).map { body in
        PipelineTasks.make { await body() }
      }
    }

    deinit { for task in tasks { task.cancel() } }
  }
}
