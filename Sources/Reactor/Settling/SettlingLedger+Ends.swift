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
    of number: UInt64, endingBy end: ActionEnd, key: UInt, if isWanted: (Few<Work>) -> Bool
  ) -> Few<Work> {
    let (works, gone) = contents.withLock { contents -> (Few<Work>, EndLeavings?) in
      let works = contents.open.works(of: number)
      return (works, isWanted(works) ? contents.note(end, of: number, key: key) : nil)
    }
    withExtendedLifetime(gone) {}
    return works
  }

  /// Somebody wants to know how an action ends, and will ask for the answer.
  @usableFromInline
  func ask(_ number: UInt64, key: UInt) {
    contents.withLock { contents in
      let (isOpen, end) = (contents.open.contains(number), contents.open.end(of: number))
      contents.book(key).ask(number, isOpen: isOpen, end: end)
    }
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
      if let end = contents.open.end(of: number) { return end }
      return switch contents.ends {
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
  /// An action has ended in a way other than finishing, or is about to; unless another end of it
  /// was written down before.
  ///
  /// - Returns: What goes for it.
  @inlinable
  mutating func note(_ end: ActionEnd, of number: UInt64, key: UInt) -> EndLeavings {
    var end = end
    let book = book(key)
    let origin = book.origin(of: number)
    if case .neverBegun = end {
      // Of several that a hook has made of one, another may have begun.
      if origin != number || !open.twins(of: number).isEmpty { end = .reactorEnded }
    }
    guard book.isNews(of: origin), open.end(of: origin) == nil else {
      return EndLeavings(book: close(book))
    }
    book.answer(end, of: origin)
    return keep(end, of: origin, in: book)
  }

  /// Keeps an end: with the action's work for as long as that goes on, and then in the book.
  @inlinable
  mutating func keep(_ end: ActionEnd, of number: UInt64, in book: EndBook) -> EndLeavings {
    if open.note(end, of: number) {
      book.openEnds += 1
    } else if let (number, end) = book.keep(end, of: number) {
      guard open.note(end, of: number) else {
        book.forget(number)
        return EndLeavings(end: end, book: close(book))
      }
      book.openEnds += 1
    }
    return EndLeavings(book: close(book))
  }

  /// All of an action's work has ended.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - end: How it ended, if otherwise than by finishing.
  /// - Returns: What goes for it.
  @inlinable
  mutating func settleInBook(_ number: UInt64, _ end: ActionEnd?) -> EndLeavings {
    guard case .book(let book) = ends else { return EndLeavings(end: end) }
    book.settle(number)
    guard let end else { return EndLeavings(book: close(book)) }
    book.openEnds -= 1
    return keep(end, of: number, in: book)
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

  /// What is open ends with the reactor.
  ///
  /// - Parameters:
  ///   - running: The work among it that goes on, cancelled: its ends stay with it.
  ///   - key: Whose ends these are.
  /// - Returns: The ends that are forgotten.
  @usableFromInline
  mutating func abandonInBook(
    sparing running: inout SettlingTable<Work>, key: UInt
  ) -> [ActionEnd] {
    if open.isEmpty { return [] }
    let noted = open.numbers.sorted().map { note(.reactorEnded, of: $0, key: key) }
    let book = book(key)
    let kept = open.takeEnds().map { number, end -> (UInt64, end: ActionEnd)? in
      if running.note(end, of: number) { return nil }
      book.openEnds -= 1
      return book.keep(end, of: number)
    }
    return noted.compactMap(\.end) + kept.compactMap { $0?.end }
  }
}

/// What goes as an end is written down: to be released outside the ledger's lock, as errors go with
/// it, whose `deinit` is anybody's.
@usableFromInline
struct EndLeavings: Sendable {
  @usableFromInline let end: ActionEnd?
  @usableFromInline let book: EndBook?

  @inlinable
  init(end: ActionEnd? = nil, book: EndBook? = nil) {
    self.end = end
    self.book = book
  }
}
