/// One ask: it begins when the action is sent, and ends with the answer or with an event that ends
/// the waiting without one.
///
/// ```
///           wait                     answer, or what ends it
///   asked ─────────▶ waiting ─────────────────────────────────▶ ended
///     │ answer                        wait
///     └────────────▶ answered ──────────────▶ ended
/// ```
///
/// | event | asked | answered | waiting | ended |
/// |---|---|---|---|---|
/// | `answer` | answered: store it | twice | ended: resume | nothing, then twice |
/// | `wait` | waiting | ended: take it | trap | over |
/// | `end` | ended | answered stays | ended: resume | nothing |
///
/// The first event that ends the waiting counts. A reply that is answered again is reported each
/// time. An answer that arrives after the waiting ended for another reason is not reported.
package struct AskMachine: Sendable, Hashable {
  package enum State: Sendable, Hashable {
    case asked
    /// The answer is stored, and has not been taken yet.
    case answered
    case waiting
    /// The waiting has ended, by an answer or for another reason; `isAnswered` says whether an
    /// answer has arrived.
    case ended(isAnswered: Bool)
  }

  package private(set) var state = State.asked

  /// Whether the waiting is over, even if it never began.
  package var isOver: Bool {
    switch state {
    case .asked, .waiting: false
    case .answered, .ended: true
    }
  }

  package init() {}

  package enum Answered: Sendable, Hashable {
    /// Store the value until the asker takes it.
    case store
    /// Resume the asker with the value.
    case resume
    /// The asker no longer waits.
    case ignore
    /// Report that the reply was answered again.
    case again
  }

  package mutating func answer() -> Answered {
    switch state {
    case .asked:
      state = .answered
      return .store
    case .waiting:
      state = .ended(isAnswered: true)
      return .resume
    case .ended(isAnswered: false):
      state = .ended(isAnswered: true)
      return .ignore
    case .answered, .ended(isAnswered: true): return .again
    }
  }

  package enum Wait: Sendable, Hashable {
    /// Take the stored value.
    case take
    case wait
    /// The waiting ended before it began.
    case over
  }

  /// The asker requests the answer.
  package mutating func wait() -> Wait {
    switch state {
    case .asked:
      state = .waiting
      return .wait
    case .answered:
      state = .ended(isAnswered: true)
      return .take
    case .ended: return .over
    case .waiting: preconditionFailure("two tasks wait for one answer")
    }
  }

  /// The waiting ends for another reason than an answer.
  ///
  /// - Returns: Whether the asker has to be resumed for this reason.
  package mutating func end() -> Bool {
    switch state {
    case .asked:
      state = .ended(isAnswered: false)
      return false
    case .waiting:
      state = .ended(isAnswered: false)
      return true
    case .answered, .ended: return false
    }
  }
}
