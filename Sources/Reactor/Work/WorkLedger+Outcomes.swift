import ReactorMachines
public import ReactorRuntime

/// The outcomes of actions, as far as they are known.
extension WorkLedger {
  /// An action has ended, or is about to end, in another way than by finishing.
  @usableFromInline
  func note(_ end: ActionOutcome, of number: UInt64) {
    let released = contents.withLock { $0.note(end, of: number) }
    withExtendedLifetime(released) {}
  }

  /// Notes how an effect's action ends, unless the effect has left the ledger.
  ///
  /// An action whose last effect has left may have settled, and its outcome may have been read.
  ///
  /// - Returns: Whether the effect is in the ledger.
  @usableFromInline
  func note(_ end: ActionOutcome, of number: UInt64, ifOpen work: LedgerWork) -> Bool {
    let (isOpen, released) = contents.withLock { contents -> (Bool, ActionOutcome?) in
      guard contents.works[work.ledgerNumber] === work else { return (false, nil) }
      return (true, contents.note(end, of: number))
    }
    withExtendedLifetime(released) {}
    return isOpen
  }

  /// Returns the effects of an action that have to be cancelled, and notes how the action ends.
  ///
  /// The lock is taken once for both, since threads on which work ends contend for it.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - end: How it ends.
  ///   - isWanted: Called under the lock, with the effects; returns whether to note the end.
  /// - Returns: The effects.
  @usableFromInline
  func works(
    of number: UInt64, endingBy end: ActionOutcome, if isWanted: (SmallList<LedgerWork>) -> Bool
  ) -> SmallList<LedgerWork> {
    let (works, released) = contents.withLock {
      contents -> (SmallList<LedgerWork>, ActionOutcome?) in
      let works = contents.works(of: number)
      return (works, isWanted(works) ? contents.note(end, of: number) : nil)
    }
    withExtendedLifetime(released) {}
    return works
  }

  /// Requests the outcome of an action.
  ///
  /// The caller has to call ``takeOutcome(of:)`` later.
  @usableFromInline
  func requestOutcome(of number: UInt64) {
    contents.withLock { $0.machine.requestOutcome(of: number) }
  }

  /// Whether the outcome of any action is requested.
  @usableFromInline var hasOutcomeRequests: Bool {
    contents.withLock { $0.machine.hasOutcomeRequests }
  }

  /// Returns the outcome of a settled action.
  @usableFromInline
  func takeOutcome(of number: UInt64) -> ActionOutcome {
    let (outcome, released) = contents.withLock { contents -> (ActionOutcome, ActionOutcome?) in
      switch contents.machine.takeOutcome(of: number) {
      case .forgotten: return (.forgotten, contents.forget(number))
      case .ended:
        let outcome = contents.ends[number] ?? .finished
        return (outcome, contents.forget(number))
      }
    }
    withExtendedLifetime(released) {}
    return outcome
  }

  /// The known outcome of an action that ended in another way than by finishing.
  @usableFromInline
  func end(of number: UInt64) -> ActionOutcome? { contents.withLock { $0.ends[number] } }
}

extension WorkLedger.Contents {
  /// Notes that an action has ended, or is about to end, in another way than by finishing.
  ///
  /// An end that was noted before has precedence.
  ///
  /// - Returns: An outcome to be released outside the lock.
  mutating func note(_ end: ActionOutcome, of number: UInt64) -> ActionOutcome? {
    // Higher numbers belong to actions that a hook made. There is no receipt for them.
    guard machine.origin(of: number) < HookActionNumber.first,
      let new = machine.note(end.code, of: number)
    else { return end }
    ends[new.action] = new.outcome == end.code ? end : .reactorEnded
    return forget(new.forgotten)
  }

  /// Forgets the data of an outcome that the machine no longer keeps.
  ///
  /// - Returns: That data, to be released outside the lock.
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
    case .cancelled, .timedOut, .cycle: .cancelled
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
