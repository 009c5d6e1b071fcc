import Reactor
import ReactorRuntime

/// A value with several subscribers, each at its own pace: a slow subscriber receives the newest
/// value only.
///
/// Guarded by `state`'s lock: the value and the continuations of the subscribers. One thread
/// publishes, so values that are yielded outside the lock keep their order.
final class NewestValue<Value: Equatable & Sendable>: Sendable {
  private struct State {
    /// The value that new subscribers receive first; nil if they receive only later values.
    var current: Value?
    var subscribers: [Int: AsyncStream<Value>.Continuation] = [:]
    var nextID = 0
    var hasEnded = false
  }

  private let state: Guarded<State>

  /// Creates a source of events: a new subscriber receives those after it.
  init() {
    state = Guarded(State())
  }

  /// Creates a source with a current value: a new subscriber receives it first.
  init(_ value: Value) {
    state = Guarded(State(current: value))
  }

  var current: Value? { state.withLock { $0.current } }

  var hasSubscribers: Bool { state.withLock { !$0.subscribers.isEmpty } }

  func values() -> AsyncStream<Value> {
    let (stream, subscriber) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      // Nothing can be waiting yet, so nothing is resumed here.
      if let current = state.current { subscriber.yield(current) }
      if state.hasEnded {
        subscriber.finish()
      } else {
        state.subscribers[state.nextID] = subscriber
      }
      state.nextID += 1
      return state.nextID - 1
    }
    subscriber.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.subscribers.removeValue(forKey: id) }
    }
    return stream
  }

  /// Delivers a value to all subscribers; a value equal to the current one is not delivered.
  func publish(_ value: Value) {
    let subscribers = state.withLock { state -> [AsyncStream<Value>.Continuation] in
      guard state.current != value else { return [] }
      if state.current != nil { state.current = value }
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers { subscriber.yield(value) }
  }

  func end() {
    let subscribers = state.withLock { state in
      state.hasEnded = true
      defer { state.subscribers = [:] }
      return Array(state.subscribers.values)
    }
    for subscriber in subscribers { subscriber.finish() }
  }
}
