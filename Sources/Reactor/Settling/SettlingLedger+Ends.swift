/// How actions ended, as far as the ledger knows: its part in the ``EndBook``.
extension SettlingLedger {
  /// An action has ended in a way other than finishing, or is about to.
  @usableFromInline
  func note(_ end: ActionEnd, of number: UInt64) {
    contents.withLock { contents in
      var end = end
      // Something of it has been begun where a hook has made several of one.
      if case .neverBegun = end, !contents.open.twins(of: number).isEmpty { end = .reactorEnded }
      contents.openBook().note(end, of: number) { contents.open.contains($0) }
    }
  }

  /// Somebody wants to know how an action ends, and will ask for the answer.
  func ask(_ number: UInt64) {
    contents.withLock { $0.openBook().ask(number, isOpen: $0.open.contains(number)) }
  }

  /// How an action ended that has settled.
  func answer(_ number: UInt64) -> ActionOutcome {
    contents.withLock { contents in
      defer { contents.closeBook() }
      return contents.ends?.answer(number) ?? .forgotten
    }
  }

  /// How an action ended that did not finish, if that is known.
  func end(of number: UInt64) -> ActionEnd? {
    contents.withLock { $0.ends?.end(of: number) }
  }

  func isOpen(_ number: UInt64) -> Bool {
    contents.withLock { $0.open.contains(number) }
  }
}

extension SettlingLedger.Contents {
  mutating func openBook() -> EndBook {
    if let ends { return ends }
    let book = EndBook()
    ends = book
    return book
  }

  /// Gives the book's memory back, if there is nothing in it.
  mutating func closeBook() {
    if ends?.isEmpty == true { ends = nil } else if ends?.isQuiet == true { ends?.shrink() }
  }

  @usableFromInline
  mutating func settleInBook(_ number: UInt64) {
    ends?.settle(number) { open.contains($0) }
    closeBook()
  }

  /// What was open never ends by itself.
  @usableFromInline
  mutating func abandonInBook() {
    let numbers = open.numbers
    if numbers.isEmpty, ends == nil { return }
    let book = openBook()
    for number in numbers { book.note(.reactorEnded, of: number) { _ in false } }
    for number in numbers { book.settle(number) { _ in false } }
  }
}
