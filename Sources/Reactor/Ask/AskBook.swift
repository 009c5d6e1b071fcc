public import Synchronization

/// The action of a reactor that most often is the only one that somebody waits to be answered.
///
/// So the common ask opens and closes the book without a lock, and needs no memory of its own.
@usableFromInline
struct OnlyAsk: ~Copyable, Sendable {
  /// Twice its number, and one more once something is known of it; `.max` where there is none.
  @usableFromInline let word = Atomic(UInt64.max)

  @inlinable
  init() {}

  @inlinable var isNone: Bool { word.load(ordering: .acquiring) == .max }

  /// Somebody waits for this one, which nobody has taken yet.
  ///
  /// - Returns: Whether that is all; otherwise the book has to be told.
  @inlinable
  func open(_ number: UInt64) -> Bool {
    word.compareExchange(
      expected: .max, desired: number &* 2, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Nobody does any more.
  ///
  /// - Returns: Whether nothing is known of it; otherwise the book has to be asked.
  @inlinable
  func close(_ number: UInt64) -> Bool {
    word.compareExchange(
      expected: number &* 2, desired: .max, ordering: .acquiringAndReleasing
    ).exchanged
  }

  // MARK: The book's, under its lock

  func `is`(_ number: UInt64) -> Bool {
    number < UnsentNumber.first && word.load(ordering: .acquiring) | 1 == number &* 2 | 1
  }

  var number: UInt64? {
    let word = word.load(ordering: .acquiring)
    return word == .max ? nil : word / 2
  }

  /// Something is known of it from here on.
  ///
  /// - Returns: Whether anybody wants to know: whoever asked may just have closed it.
  func becomeKnown(_ number: UInt64) -> Bool {
    let (isFirst, found) = word.compareExchange(
      expected: number &* 2, desired: number &* 2 | 1, ordering: .acquiringAndReleasing)
    return isFirst || found == number &* 2 | 1
  }

  func clear() { word.store(.max, ordering: .releasing) }
}

/// Which actions of a reactor somebody waits to be answered, how they have ended so far, and whom
/// to tell when the reactor ends.
///
/// Guard: the lock of the pipeline's shared things, in which it stands while there is something in
/// it.
@usableFromInline
struct AskBook: Emptiable {
  struct Entry: Sendable {
    /// How the action has ended, if not by finishing.
    var end: ActionEnd?
    var waiter: AskWaiter?
    var isReactorOver = false
  }

  /// What is known of the only one.
  private var known: Entry?
  private var others: [UInt64: Entry] = [:]

  @usableFromInline
  init() {}

  @usableFromInline var isEmpty: Bool { known == nil && others.isEmpty }

  /// Somebody waits for one beside the only one.
  mutating func open(_ number: UInt64) { others[number] = Entry() }

  /// Nobody does any more.
  ///
  /// - Returns: How the action has ended, as far as is known, if not by finishing.
  mutating func close(_ number: UInt64, beside only: borrowing OnlyAsk) -> ActionEnd? {
    guard only.is(number) else { return others.removeValue(forKey: number)?.end }
    defer { only.clear() }
    return known.take()?.end
  }

  /// Who is to be told when the reactor ends.
  ///
  /// - Returns: Whether it has.
  mutating func tell(
    _ waiter: AskWaiter, endOf number: UInt64, beside only: borrowing OnlyAsk
  ) -> Bool {
    change(number, beside: only) { $0.waiter = waiter }
    return entry(of: number, beside: only)?.isReactorOver ?? false
  }

  /// The first end of an action is the one that counts.
  mutating func note(_ end: ActionEnd, of number: UInt64, beside only: borrowing OnlyAsk) {
    change(number, beside: only) { if $0.end == nil { $0.end = end } }
  }

  func end(of number: UInt64, beside only: borrowing OnlyAsk) -> ActionEnd? {
    entry(of: number, beside: only)?.end
  }

  /// The reactor has ended.
  ///
  /// - Returns: Those to tell.
  mutating func reactorEnded(beside only: borrowing OnlyAsk) -> [AskWaiter] {
    var numbers = Array(others.keys)
    if let number = only.number { numbers.insert(number, at: 0) }
    for number in numbers { change(number, beside: only) { $0.isReactorOver = true } }
    return numbers.compactMap { entry(of: $0, beside: only)?.waiter }
  }

  private func entry(of number: UInt64, beside only: borrowing OnlyAsk) -> Entry? {
    only.is(number) ? known : others[number]
  }

  private mutating func change(
    _ number: UInt64, beside only: borrowing OnlyAsk, _ body: (inout Entry) -> Void
  ) {
    if only.is(number) {
      guard only.becomeKnown(number) else { return }
      var entry = known ?? Entry()
      body(&entry)
      known = entry
    } else if var entry = others[number] {
      body(&entry)
      others[number] = entry
    }
  }
}
