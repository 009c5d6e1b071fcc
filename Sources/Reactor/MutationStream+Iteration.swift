import ReactorRuntime
import Synchronization

extension MutationStream: AsyncSequence {
  /// The kind of element.
  public typealias Element = Mutation
  /// Whatever the effect throws.
  public typealias Failure = any Error

  /// Starts the stream on its own, without a reactor's pipeline; meant for tests.
  ///
  /// - Returns: An iterator; letting go of it cancels the effect.
  public func makeAsyncIterator() -> Iterator { Iterator(running: MutationIteration(self)) }

  /// Hands out the mutations as they are emitted.
  public struct Iterator: AsyncIteratorProtocol {
    let running: MutationIteration<Mutation>

    /// Waits for the next mutation; the effect goes on only while this waits.
    ///
    /// - Returns: The mutation; `nil` at the end, or when the task is cancelled.
    /// - Throws: What the effect throws, `CancellationError` excepted.
    public mutating func next() async throws -> Mutation? { try await running.next() }
  }
}

/// One run of a stream outside any pipeline: a task that hands each mutation over by rendezvous.
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

/// The rendezvous between an effect and what iterates it: an input as a hook's, of which the last
/// element is how the effect ended.
private final class MutationHandover<Mutation: Sendable>: Sendable {
  typealias Outcome = Result<Mutation?, any Error>

  private let channel = HookChannel<Outcome>()
  private let hasEnded = Atomic(false)
  /// Opened when the first mutation is asked for.
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

  /// Nothing will ask again: emitters need not wait.
  func abandon() {
    channel.finish()
    start.open()
  }

  func next() async -> Outcome {
    start.open()
    // Cancelled, it may ask again.
    guard let outcome = await channel.next() else { return .success(nil) }
    if case .success(.some) = outcome { return outcome }
    channel.finish()
    return outcome
  }
}
