public import OpenCombine
import Synchronization

/// Publishes an async sequence, such as the states of a reactor.
///
/// Each subscriber iterates on its own, as far as it demands elements. Elements are delivered on a
/// task; use `receive(on:)` to receive them elsewhere.
public struct SequencePublisher<Base: AsyncSequence & Sendable>: Publisher
where Base.Failure == Never, Base.Element: Sendable {
  /// The elements of the sequence.
  public typealias Output = Base.Element
  /// It never fails.
  public typealias Failure = Never

  private let base: Base

  /// Creates a publisher.
  ///
  /// - Parameter base: The sequence.
  public init(_ base: Base) { self.base = base }

  /// Attaches a subscriber.
  ///
  /// - Parameter subscriber: The subscriber.
  public func receive<Downstream: Subscriber>(subscriber: Downstream)
  where Downstream.Input == Output, Downstream.Failure == Never {
    subscriber.receive(subscription: SequenceSubscription(base, to: subscriber))
  }
}

extension AsyncSequence where Self: Sendable, Failure == Never, Element: Sendable {
  /// The elements as a publisher.
  public var publisher: SequencePublisher<Self> { SequencePublisher(self) }
}

/// One subscriber of a ``SequencePublisher``.
///
/// Holds: `demand`, guarded by its own lock; the subscriber is called by one task, outside the lock.
private final class SequenceSubscription<Base: AsyncSequence & Sendable>: Subscription, Sendable
where Base.Failure == Never, Base.Element: Sendable {
  private struct Demand: ~Copyable {
    var count = Subscribers.Demand.none
    var isCancelled = false
    var waiting: CheckedContinuation<Void, Never>?
    var task: Task<Void, Never>?

    /// - Returns: Whether an element may be delivered; `nil` if that is not known yet.
    mutating func take() -> Bool? {
      if isCancelled { return false }
      guard count > .none else { return nil }
      count -= 1
      return true
    }
  }

  private let base: Base
  // Guard: only the task calls them, one after the other.
  nonisolated(unsafe) private let receive: (Base.Element) -> Subscribers.Demand
  nonisolated(unsafe) private let complete: () -> Void
  private let demand = Mutex(Demand())

  init(_ base: Base, to downstream: some Subscriber<Base.Element, Never>) {
    self.base = base
    receive = { downstream.receive($0) }
    complete = { downstream.receive(completion: .finished) }
  }

  func request(_ more: Subscribers.Demand) {
    let waiting = demand.withLock { demand in
      demand.count += more
      if demand.task == nil, !demand.isCancelled { demand.task = Task { await self.deliver() } }
      return demand.waiting.take()
    }
    waiting?.resume()
  }

  func cancel() {
    let (task, waiting) = demand.withLock { demand in
      demand.isCancelled = true
      return (demand.task.take(), demand.waiting.take())
    }
    task?.cancel()
    waiting?.resume()
  }

  private func deliver() async {
    for await element in base {
      guard await mayDeliver() else { return }
      let more = receive(element)
      demand.withLock { $0.count += more }
    }
    if demand.withLock({ !$0.isCancelled }) { complete() }
  }

  /// Waits until there is demand.
  ///
  /// - Returns: False if the subscription has been cancelled.
  private func mayDeliver() async -> Bool {
    while true {
      if let result = demand.withLock({ $0.take() }) { return result }
      await withCheckedContinuation { continuation in
        let isKnown = demand.withLock { demand in
          if demand.isCancelled || demand.count > .none { return true }
          demand.waiting = continuation
          return false
        }
        if isKnown { continuation.resume() }
      }
    }
  }
}
