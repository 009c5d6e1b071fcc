import ReactorRuntime

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
/// Holds: the task, cancelled when the iterator is let go.
final class MutationIteration<Mutation: Sendable>: Sendable {
  private let handover = MutationHandover<Mutation>()
  private let task: Guarded<Task<Void, Never>?>

  init(_ stream: MutationStream<Mutation>) {
    let handover = handover
    task = Guarded(
      PipelineTasks.inheriting {
        await handover.begin()
        do {
          try Task.checkCancellation()
          try await stream.run(into: handover.emitter, isolation: nil)
          handover.end(nil)
        } catch {
          handover.end(error is CancellationError ? nil : error)
        }
      })
  }

  deinit {
    task.withLock { $0 }?.cancel()
    handover.abandon()
  }

  func next() async throws -> Mutation? { try await handover.next().get() }
}

/// The rendezvous between an effect and the one who iterates it.
///
/// Holds: `state`, guarded by its own lock; latches and continuations are resumed outside it.
final class MutationHandover<Mutation: Sendable>: Sendable {
  typealias Outcome = Result<Mutation?, any Error>

  private struct State: Sendable {
    /// Emitted, not yet asked for; each with the latch its emitter waits at.
    var offered = FIFO<(mutation: Mutation, latch: Latch)>()
    /// Handed over; its emitter goes on when the next is asked for.
    var handedOver: Latch?
    var consumer: CheckedContinuation<Outcome, Never>?
    var outcome: Outcome?

    /// What can be handed out at once; otherwise the continuation is kept.
    mutating func ask(_ continuation: CheckedContinuation<Outcome, Never>) -> Outcome? {
      if let (mutation, latch) = offered.popFirst() {
        handedOver = latch
        return .success(mutation)
      }
      if let outcome {
        self.outcome = .success(nil)
        return outcome
      }
      guard !Task.isCancelled else { return .success(nil) }
      consumer = continuation
      return nil
    }
  }

  private let state = Guarded(State())
  private let start = Latch()

  func begin() async { await start.wait() }

  var emitter: MutationEmitter<Mutation> {
    MutationEmitter(
      accept: { _, _ in .unacceptable },
      deliver: { mutation, _ in await self.deliver(mutation) },
      effect: nil)
  }

  private func deliver(_ mutation: Mutation) async {
    let latch = Latch()
    let (consumer, isOver) = state.withLock {
      state -> (CheckedContinuation<Outcome, Never>?, Bool) in
      guard state.outcome == nil, !Task.isCancelled else { return (nil, true) }
      guard let consumer = state.consumer.take() else {
        state.offered.append((mutation, latch))
        return (nil, false)
      }
      state.handedOver = latch
      return (consumer, false)
    }
    consumer?.resume(returning: .success(mutation))
    if !isOver { await latch.wait() }
  }

  func end(_ error: (any Error)?) {
    let outcome: Outcome = error.map { .failure($0) } ?? .success(nil)
    let consumer = state.withLock { state -> CheckedContinuation<Outcome, Never>? in
      guard let consumer = state.consumer.take() else {
        state.outcome = outcome
        return nil
      }
      state.outcome = .success(nil)
      return consumer
    }
    consumer?.resume(returning: outcome)
  }

  /// Nobody will ask again: emitters need not wait.
  func abandon() {
    let latches = state.withLock { state in
      state.outcome = .success(nil)
      return state.offered.removeAll().map(\.latch) + [state.handedOver.take()].compactMap { $0 }
    }
    for latch in latches { latch.open() }
    start.open()
  }

  func next() async -> Outcome {
    state.withLock { $0.handedOver.take() }?.open()
    start.open()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        if let outcome = state.withLock({ $0.ask(continuation) }) {
          continuation.resume(returning: outcome)
        }
      }
    } onCancel: {
      state.withLock { $0.consumer.take() }?.resume(returning: .success(nil))
    }
  }
}
