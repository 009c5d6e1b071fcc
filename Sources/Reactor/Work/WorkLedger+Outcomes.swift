import ReactorMachines
public import ReactorRuntime

/// How actions ended, as far as is known.
extension WorkLedger {
  /// An action has ended in a way other than finishing, or is about to.
  @usableFromInline
  func note(_ end: ActionOutcome, of number: UInt64) {
    let gone = contents.withLock { $0.note(end, of: number) }
    withExtendedLifetime(gone) {}
  }

  /// The effects of an action that are to be cancelled; notes how the action ends.
  ///
  /// The lock is taken once for both: threads on which work ends wait for it.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - end: How it ends.
  ///   - isWanted: Asked under the lock, with the effects, whether the end is to be noted.
  /// - Returns: The effects.
  @usableFromInline
  func works(
    of number: UInt64, endingBy end: ActionOutcome, if isWanted: (Few<LedgerWork>) -> Bool
  ) -> Few<LedgerWork> {
    let (works, gone) = contents.withLock { contents -> (Few<LedgerWork>, ActionOutcome?) in
      let works = contents.works(of: number)
      return (works, isWanted(works) ? contents.note(end, of: number) : nil)
    }
    withExtendedLifetime(gone) {}
    return works
  }

  /// The outcome of an action is asked for, and ``answer(_:)`` will be.
  @usableFromInline
  func ask(_ number: UInt64) { contents.withLock { $0.machine.ask(number) } }

  /// Whether the outcome of any action is asked for.
  @usableFromInline var hasQuestions: Bool { contents.withLock { $0.machine.hasQuestions } }

  /// How an action ended that has settled.
  @usableFromInline
  func answer(_ number: UInt64) -> ActionOutcome {
    let (outcome, gone) = contents.withLock { contents -> (ActionOutcome, ActionOutcome?) in
      switch contents.machine.answer(number) {
      case .forgotten: return (.forgotten, contents.forget(number))
      case .ended:
        let outcome = contents.ends[number] ?? .finished
        return (outcome, contents.forget(number))
      }
    }
    withExtendedLifetime(gone) {}
    return outcome
  }

  /// How an action ended that did not finish, if that is known.
  @usableFromInline
  func end(of number: UInt64) -> ActionOutcome? { contents.withLock { $0.ends[number] } }
}

extension WorkLedger.Contents {
  /// An action has ended in a way other than finishing, or is about to; unless another end of it
  /// was noted before.
  ///
  /// - Returns: What is forgotten for it, to be released outside the lock.
  mutating func note(_ end: ActionOutcome, of number: UInt64) -> ActionOutcome? {
    // A hook has made those beyond, and there is no receipt of them.
    guard machine.origin(of: number) < UnsentNumber.first,
      let news = machine.note(end.code, of: number)
    else { return end }
    ends[news.action] = news.outcome == end.code ? end : .reactorEnded
    return forget(news.forgotten)
  }

  /// Forgets what goes with an outcome that the machine no longer keeps.
  ///
  /// - Returns: That, to be released outside the lock.
  mutating func forget(_ number: UInt64?) -> ActionOutcome? {
    guard let number, !ends.isEmpty, !machine.isKnown(number) else { return nil }
    return ends.removeValue(forKey: number)
  }
}

extension ActionOutcome {
  fileprivate var code: WorkMachine.Outcome {
    switch self {
    case .finished, .open, .forgotten, .released: .finished
    case .failed: .failed
    case .cancelled, .timedOut, .circle: .cancelled
    case .neverBegun: .neverBegun
    case .reactorEnded: .reactorEnded
    case .dropped: .dropped
    case .superseded: .superseded
    case .evicted: .evicted
    case .refused(.notOpened): .notOpened
    case .refused: .refused
    case .droppedByMiddleware: .droppedByMiddleware
    }
  }
}
