import ReactorRuntime
import Synchronization

extension MutationStream: AsyncSequence {
  /// The type of element.
  public typealias Element = Mutation
  /// Any error that the effect throws.
  public typealias Failure = any Error

  /// Runs the stream on its own, without a reactor; intended for tests.
  ///
  /// - Returns: An iterator; the effect is cancelled when the iterator is released.
  public func makeAsyncIterator() -> Iterator { Iterator(running: MutationIteration(self)) }

  /// Returns the mutations as they are emitted.
  public struct Iterator: AsyncIteratorProtocol {
    let running: MutationIteration<Mutation>

    /// Waits for the next mutation; the effect continues only while this waits.
    ///
    /// - Returns: The mutation; `nil` at the end, or when the task is cancelled.
    /// - Throws: The error that the effect throws, except `CancellationError`.
    public mutating func next() async throws -> Mutation? { try await running.next() }
  }
}

/// One run of a stream outside any pipeline: a task that passes each mutation on by rendezvous.
///
/// Holds: the task, cancelled when the iterator is released.
final class MutationIteration<Mutation: Sendable>: Sendable {
  private let handover = MutationHandover<Mutation>()
  private let task: Task<Void, Never>

  init(_ stream: MutationStream<Mutation>) {
    task = PipelineTasks.inheriting { [handover] in
      await handover.start.wait()
      do {
        try Task.checkCancellation()
        try await stream.run(into: handover.emitter, isolation: nil)
        handover.end(.success(nil))
      } catch {
        handover.end(error is CancellationError ? .success(nil) : .failure(error))
      }
    }
  }

  deinit {
    task.cancel()
    handover.abandon()
  }

  func next() async throws -> Mutation? { try await handover.next().get() }
}

/// The rendezvous between an effect and its iterator: a hook's channel whose last element is how
/// the effect ended.
private final class MutationHandover<Mutation: Sendable>: Sendable {
  typealias Outcome = Result<Mutation?, any Error>

  private let channel = HookChannel<Outcome>()
  private let hasEnded = Atomic(false)
  /// Opened when the first mutation is requested.
  let start = Latch()

  var emitter: MutationEmitter<Mutation> {
    MutationEmitter(
      accept: { _, _ in .unacceptable },
      deliver: { mutation, _ in
        let latch = Latch()
        if self.hasEnded.load(ordering: .acquiring) || Task.isCancelled { return }
        if self.channel.push(.success(mutation), ticket: .outside(latch)) { await latch.wait() }
      },
      effect: nil)
  }

  func end(_ outcome: Outcome) {
    hasEnded.store(true, ordering: .releasing)
    channel.push(outcome, ticket: .outside(Latch()))
  }

  /// The iterator has been released: nothing is requested any more, and emitters need not wait.
  func abandon() {
    channel.finish()
    start.open()
  }

  func next() async -> Outcome {
    start.open()
    // After a cancellation, it may be called again.
    guard let outcome = await channel.next() else { return .success(nil) }
    if case .success(.some) = outcome { return outcome }
    channel.finish()
    return outcome
  }
}
