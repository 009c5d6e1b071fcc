import Reactor
import ReactorRuntime

/// What many follow, each at its own pace: who is slow gets the newest only.
///
/// Guarded by `state`'s lock: the value and the continuations of those who follow. One thread
/// publishes, so that what is yielded outside the lock keeps its order.
final class NewestValue<Value: Equatable & Sendable>: Sendable {
  private struct State {
    /// What those who come later are to see first; nil where they are to see only what is new.
    var current: Value?
    var followers: [Int: AsyncStream<Value>.Continuation] = [:]
    var nextID = 0
    var hasEnded = false
  }

  private let state: Guarded<State>

  /// Events: a newcomer gets those after it.
  init() {
    state = Guarded(State())
  }

  /// A value that always is: a newcomer gets it first.
  init(_ value: Value) {
    state = Guarded(State(current: value))
  }

  var current: Value? { state.withLock { $0.current } }

  var isFollowed: Bool { state.withLock { !$0.followers.isEmpty } }

  func values() -> AsyncStream<Value> {
    let (stream, follower) = AsyncStream.makeStream(
      of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      // Nothing can be waiting yet, so nothing is resumed in here.
      if let current = state.current { follower.yield(current) }
      if state.hasEnded { follower.finish() } else { state.followers[state.nextID] = follower }
      state.nextID += 1
      return state.nextID - 1
    }
    follower.onTermination = { [weak self] _ in
      _ = self?.state.withLock { $0.followers.removeValue(forKey: id) }
    }
    return stream
  }

  /// Tells all that wait; a value that is no other than the current one is no news.
  func publish(_ value: Value) {
    let followers = state.withLock { state -> [AsyncStream<Value>.Continuation] in
      guard state.current != value else { return [] }
      if state.current != nil { state.current = value }
      return Array(state.followers.values)
    }
    for follower in followers { follower.yield(value) }
  }

  func end() {
    let followers = state.withLock { state in
      state.hasEnded = true
      defer { state.followers = [:] }
      return Array(state.followers.values)
    }
    for follower in followers { follower.finish() }
  }
}
