import Reactor
import ReactorRuntime

/// A value that can be taken once, and of which no copy remains afterwards.
///
/// An action is passed in it, since each copy of an action contains a copy of its reply. If a copy
/// remained, a reply that the reactor releases without an answer would not be detected, and the
/// caller would wait forever.
///
/// Holds: `value`, guarded by its own lock.
final class OneTimeValue<Value: Sendable>: Sendable {
  private let value: Guarded<Value?>

  init(_ value: Value) { self.value = Guarded(value) }

  /// Returns the value; `nil` at the second call.
  func take() -> Value? {
    value.withLock { value in
      defer { value = nil }
      return value
    }
  }
}
