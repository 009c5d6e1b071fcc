/// Notes how actions end, and who wants to know of which; what comes of it, receipts tell.
extension PipelineCore {
  /// Writes down how an action ended, other than by finishing.
  @inlinable
  func note(_ end: ActionEnd, of number: UInt64) {
    ledger.note(end, of: number)
    tellNoted(end, of: number)
  }

  /// Tells whoever wants to know of an end that has been written down.
  @inlinable
  func tellNoted(_ end: ActionEnd, of number: UInt64) {
    steps?.tell(.noted(number: number, end.outcome))
    if hasAskers { noteAsked(end, of: number) }
    if number >= UnsentNumber.first, ReactorObservers.isAny { noteMade(end, of: number) }
  }

  /// How an action has ended that somebody may have asked; or a further one that a hook has made
  /// of it.
  @usableFromInline
  func noteAsked(_ end: ActionEnd, of number: UInt64) {
    let origin = ledger.origin(of: number)
    asks { book, only in book.note(end, of: origin, beside: only) }
  }

  /// Whether anybody waits to be answered.
  @inlinable var hasAskers: Bool {
    guard let parts = partsIfMade else { return false }
    return !parts.pointee.onlyAsk.isNone || parts.pointee.shared.withLock { $0.hasAsks }
  }

  /// How an action has ended that a hook has made, and that is observed; the first end counts.
  @usableFromInline
  func noteMade(_ end: ActionEnd, of number: UInt64) {
    shared.withLock { shared in
      if case .some(nil) = shared.rare.madeEnds[number] { shared.rare.madeEnds[number] = end }
    }
  }

  /// Somebody wants to know how an action ends, and will ask for the answer.
  @usableFromInline
  func askOutcome(of number: UInt64) { ledger.ask(number) }
}
