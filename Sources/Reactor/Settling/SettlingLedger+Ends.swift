/// How actions ended, as far as the ledger knows: its part in the ``EndBook``.
///
/// Whose ends they are, the key, is where the pipeline's parts stand.
extension SettlingLedger {
  /// An action has ended in a way other than finishing, or is about to.
  @inlinable
  func note(_ end: ActionEnd, of number: UInt64, key: UInt) {
    let gone = contents.withLock { $0.note(end, of: number, key: key) }
    withExtendedLifetime(gone) {}
  }

  /// What of an action's work can be cancelled, for whoever is about to do that; notes how the
  /// action ends.
  ///
  /// In one visit: whoever ends work on another thread wants the lock as well.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - end: How it ends.
  ///   - key: Whose ends these are.
  ///   - isWanted: Asked under the lock, with that work, whether the end is to be noted.
  /// - Returns: The work.
  @inlinable
  func works(
    of number: UInt64, endingBy end: ActionEnd, key: UInt, if isWanted: ([Work]) -> Bool
  ) -> [Work] {
    let (works, gone) = contents.withLock { contents -> ([Work], EndLeavings?) in
      let works = contents.open.works(of: number)
      return (works, isWanted(works) ? contents.note(end, of: number, key: key) : nil)
    }
    withExtendedLifetime(gone) {}
    return works
  }

  /// Somebody wants to know how an action ends, and will ask for the answer.
  @usableFromInline
  func ask(_ number: UInt64, key: UInt) {
    contents.withLock { $0.book(key).ask(number, isOpen: $0.open.contains(number)) }
  }

  /// How an action ended that has settled.
  @usableFromInline
  func answer(_ number: UInt64, key: UInt) -> ActionOutcome {
    let (outcome, gone) = contents.withLock { contents -> (ActionOutcome, EndBook?) in
      let book = contents.book(key)
      let outcome = book.answer(number)
      return (outcome, contents.close(book))
    }
    withExtendedLifetime(gone) {}
    return outcome
  }

  /// How an action ended that did not finish, if that is known.
  func end(of number: UInt64, key: UInt) -> ActionEnd? {
    contents.withLock { contents in
      switch contents.ends {
      case .none: nil
      case .book(let book): book.end(of: number)
      case .kept: EndArchive.look(key)?.end(of: number)
      }
    }
  }

  /// The action that a hook has made this one of, if it has; else this one.
  func origin(of number: UInt64) -> UInt64 {
    contents.withLock { contents in
      if case .book(let book) = contents.ends { book.origin(of: number) } else { number }
    }
  }

  /// Whether the action has one piece of work left.
  @inlinable
  func isLast(_ number: UInt64) -> Bool {
    contents.withLock { $0.open.pieces(of: number) == 1 }
  }

  /// What is known of an action that has been taken.
  @usableFromInline
  enum Standing {
    case open, finished
    /// It has ended, and how stands in the book.
    case ended
  }

  @inlinable
  func standing(of number: UInt64) -> Standing {
    contents.withLock { contents in
      if contents.open.contains(number) { return .open }
      if case .none = contents.ends { return .finished }
      return .ended
    }
  }

  func isOpen(_ number: UInt64) -> Bool {
    contents.withLock { $0.open.contains(number) }
  }

  /// Nobody can ask any more.
  @usableFromInline
  func forgetEnds(key: UInt) {
    let gone = contents.withLock { contents -> (ActionEnds, EndBook?) in
      defer { contents.ends = .none }
      return (contents.ends, contents.ends.isKept ? EndArchive.take(key) : nil)
    }
    withExtendedLifetime(gone) {}
  }
}

extension SettlingLedger.Contents {
  /// An action has ended in a way other than finishing, or is about to.
  ///
  /// - Returns: What goes for it.
  @inlinable
  mutating func note(_ end: ActionEnd, of number: UInt64, key: UInt) -> EndLeavings {
    var end = end
    // Something of it has been begun where a hook has made several of one.
    if case .neverBegun = end, !open.twins(of: number).isEmpty { end = .reactorEnded }
    let book = book(key)
    let leaving = book.note(end, of: number) { open.contains($0) }
    return EndLeavings(end: leaving, book: close(book))
  }

  /// The book; it is opened if it is not.
  @inlinable
  mutating func book(_ key: UInt) -> EndBook {
    if case .book(let open) = ends { open } else { openBook(key) }
  }

  @usableFromInline
  mutating func openBook(_ key: UInt) -> EndBook {
    let book: EndBook
    switch ends {
    case .book(let open): return open
    case .none: book = EndBook(key)
    case .kept(let highest): book = EndArchive.take(key) ?? EndBook(key, forgotten: highest)
    }
    ends = .book(book)
    return book
  }

  /// Puts the book away, if all that is in it is what may yet be asked for.
  ///
  /// - Returns: Another book that has gone for it.
  @inlinable
  mutating func close(_ book: EndBook) -> EndBook? {
    if book.isEmpty {
      ends = .none
    } else if book.isQuiet, open.isEmpty, waiters.isEmpty {
      ends = .kept(highest: book.highest)
      return EndArchive.keep(book)
    }
    return nil
  }

  @inlinable
  mutating func settle(_ number: UInt64, in book: EndBook) -> EndLeavings {
    let leaving = book.settle(number) { open.contains($0) }
    return EndLeavings(end: leaving, book: close(book))
  }

  /// What was open never ends by itself.
  ///
  /// - Returns: The ends that are forgotten.
  @usableFromInline
  mutating func abandonInBook(_ key: UInt) -> [ActionEnd] {
    let numbers = open.numbers
    if numbers.isEmpty { return [] }
    let book = book(key)
    return numbers.compactMap { book.note(.reactorEnded, of: $0) { _ in false } }
      + numbers.compactMap { book.settle($0) { _ in false } }
  }
}

/// What goes as an end is written down: to be released outside the ledger's lock, as errors go with
/// it, whose `deinit` is anybody's.
@usableFromInline
struct EndLeavings: Sendable {
  @usableFromInline let end: ActionEnd?
  @usableFromInline let book: EndBook?

  @inlinable
  init(end: ActionEnd?, book: EndBook?) {
    self.end = end
    self.book = book
  }

  @inlinable var areNone: Bool { end == nil && book == nil }
}
