public import Reactor

/// Something to tell a person, once.
public enum Notice: Sendable {
  /// Something was done. A script is told the record, one line of JSON, where it asks for JSON; and
  /// nothing where it does not.
  case outcome(String, record: (@Sendable () async -> String)? = nil)
  /// Something was not done: what was wrong and what would do, in one line.
  case failure(String)

  var isFailure: Bool { if case .failure = self { true } else { false } }
}

/// A pulse of a state, and what it tells each time that it fires.
public struct NoticePulse<State: Sendable>: Sendable {
  let notice: @Sendable (_ state: State, _ last: State?) -> Notice?

  /// What a pulse tells; nothing where `notice` makes nothing of its value.
  public init<Value: Sendable>(
    _ pulse: any KeyPath<State, Pulse<Value?>> & Sendable,
    _ notice: @escaping @Sendable (Value) -> Notice
  ) {
    self.notice = { state, last in
      state[keyPath: pulse].fired(since: last?[keyPath: pulse]).map(notice)
    }
  }

  /// A pulse that says what was done.
  public static func outcome(_ pulse: any KeyPath<State, Pulse<String?>> & Sendable) -> Self {
    Self(pulse) { .outcome($0) }
  }

  /// A pulse that says what was not done, and why.
  public static func failure(_ pulse: any KeyPath<State, Pulse<String?>> & Sendable) -> Self {
    Self(pulse) { .failure($0) }
  }
}

extension Screen {
  /// What is new in a state: each is told once, in the order of the pulses.
  public func notices(of state: R.State, after last: R.State?) -> [Notice] {
    notices.compactMap { $0.notice(state, last) }
  }
}

extension Pulse where Value: Sendable {
  /// The value, if it has been set since.
  fileprivate func fired<Wrapped>(since last: Pulse?) -> Wrapped? where Value == Wrapped? {
    (last.map { isNewer(than: $0) } ?? true) ? wrappedValue : nil
  }
}
