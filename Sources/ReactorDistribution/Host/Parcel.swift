import Reactor
import ReactorRuntime

/// A value that is handed on to one taker, and of which no copy is kept after that.
///
/// An action has to travel so: as long as there is a copy of it, there is one of its reply, and
/// the reactor that releases its own copy would leave the asker waiting for ever.
///
/// Holds: `value`, guarded by its own lock.
final class Parcel<Value: Sendable>: Sendable {
  private let value: Guarded<Value?>

  init(_ value: Value) { self.value = Guarded(value) }

  /// What is in it; `nil` for a second taker.
  func take() -> Value? {
    value.withLock { value in
      defer { value = nil }
      return value
    }
  }
}
