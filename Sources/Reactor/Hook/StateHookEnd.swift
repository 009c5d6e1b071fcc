import ReactorRuntime

/// Decides, at the end of a reactor, when its hook over the states is cancelled.
///
/// A hook's sequence normally ends after its input has. One that merges an endless sequence does
/// not end by itself, and is cancelled. It is cancelled only after it has returned as many states
/// as it was given, so that an operator that reads ahead or holds back (`buffer`, `debounce`) can
/// still deliver the last ones.
///
/// Contains `state`, guarded by its own lock; the task is cancelled outside it.
@usableFromInline
final class StateHookEnd: Sendable {
  private struct State: Sendable {
    var task: Task<Void, Never>?
    var inputCount = UInt64.max
    var outputCount: UInt64 = 0
    var hasInputEnded = false
  }

  private let state = Guarded(State())

  init() {}

  /// Sets the task that iterates the hook's sequence.
  func begin(_ task: Task<Void, Never>) { change { $0.task = task } }

  /// The hook has been given this number of states in total.
  @usableFromInline
  func setInputCount(_ count: UInt64) { change { $0.inputCount = count } }

  /// The hook has returned a state.
  func recordOutput() { change { $0.outputCount += 1 } }

  /// The hook has received the end of its input.
  func setInputEnded() { change { $0.hasInputEnded = true } }

  private func change(_ body: (inout State) -> Void) {
    let task = state.withLock { state -> Task<Void, Never>? in
      body(&state)
      guard state.hasInputEnded, state.outputCount >= state.inputCount else { return nil }
      return state.task.take()
    }
    task?.cancel()
  }
}
