public import Reactor

/// A message for the user, shown once.
public enum Notice: Sendable {
  /// Something was done.
  ///
  /// Scripts that use JSON receive the record, one line of JSON; other scripts receive nothing.
  case outcome(String, record: (@Sendable () async -> String)? = nil)
  /// Something was done, and the user should know of a problem, in one line.
  case warning(String)
  /// Something was not done: what was wrong and how to correct it, in one line.
  case failure(String)
}

/// A pulse of a state, with the notice that is shown each time it fires.
public struct NoticePulse<State: Sendable>: Sendable {
  let notice: @Sendable (_ state: State, _ last: State?) -> Notice?

  /// Creates a notice for a pulse; a `nil` value shows nothing.
  public init<Value: Sendable>(
    _ pulse: any KeyPath<State, Pulse<Value?>> & Sendable,
    _ notice: @escaping @Sendable (Value) -> Notice
  ) {
    self.notice = { state, last in
      state[keyPath: pulse].fired(since: last?[keyPath: pulse]).map(notice)
    }
  }

  /// A pulse that reports what was done.
  public static func outcome(_ pulse: any KeyPath<State, Pulse<String?>> & Sendable) -> Self {
    Self(pulse) { .outcome($0) }
  }

  /// A pulse that reports a problem with something that was done.
  public static func warning(_ pulse: any KeyPath<State, Pulse<String?>> & Sendable) -> Self {
    Self(pulse) { .warning($0) }
  }

  /// A pulse that reports what was not done, and why.
  public static func failure(_ pulse: any KeyPath<State, Pulse<String?>> & Sendable) -> Self {
    Self(pulse) { .failure($0) }
  }
}

extension Screen {
  /// The notices that are new in a state: each is shown once, in the order of the pulses.
  public func notices(of state: R.State, after last: R.State?) -> [Notice] {
    notices.compactMap { $0.notice(state, last) }
  }
}

extension Pulse where Value: Sendable {
  /// The value, if the pulse has fired since.
  fileprivate func fired<Wrapped>(since last: Pulse?) -> Wrapped? where Value == Wrapped? {
    (last.map { isNewer(than: $0) } ?? true) ? wrappedValue : nil
  }
}
