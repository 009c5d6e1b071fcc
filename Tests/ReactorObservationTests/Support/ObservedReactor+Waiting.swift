import Observation
import Reactor
import ReactorObservation

extension ObservedReactor {
  /// Waits until what is read changes.
  func change<Value>(_ read: (ObservedReactor) -> Value) async {
    await withCheckedContinuation { continuation in
      withObservationTracking {
        _ = read(self)
      } onChange: {
        Task { @MainActor in continuation.resume() }
      }
    }
  }

  /// Waits until the state is as wanted.
  func until(_ isWanted: (R.State) -> Bool) async {
    while !isWanted(state) { await change { $0.state } }
  }
}
