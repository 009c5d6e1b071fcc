public import Synchronization

/// Which actions of a reactor somebody waits to be answered, how they have ended so far, and whom
/// to tell when the reactor ends.
///
/// Mostly it is one at a time, which costs no memory of its own.
///
/// Holds: `only` and `spare`, atomic; the rest is guarded by the lock of the pipeline's shared
/// things.
@usableFromInline
final class AskBook: Sendable {
  struct Entry: Sendable {
    /// How the action has ended, if not by finishing.
    var end: ActionEnd?
    var waiter: AskWaiter?
    var isReactorOver = false
  }

  /// The one that most often is the only one: twice its number, and one more once something is
  /// known of it; `.max` where there is none.
  ///
  /// So the common ask opens and closes the book without a lock.
  @usableFromInline let only = Atomic(UInt64.max)
  /// Guard: the lock of the pipeline's shared things, as of `others`.
  private nonisolated(unsafe) var known = Entry()
  private nonisolated(unsafe) var others: [UInt64: Entry] = [:]
  /// A token that nobody has any more.
  @usableFromInline let spare = Atomic<Unmanaged<ReplyToken>?>(nil)

  @usableFromInline
  init() {}

  @inlinable
  deinit { _ = takeSpare() }

  var isEmpty: Bool { only.load(ordering: .acquiring) == .max && others.isEmpty }

  // MARK: Any thread's, without the lock

  /// Somebody waits for this one, which nobody has taken yet.
  ///
  /// - Returns: Whether that is all; otherwise ``openOther(_:)`` is to be called.
  @inlinable
  func open(_ number: UInt64) -> Bool {
    only.compareExchange(
      expected: .max, desired: number &* 2, ordering: .acquiringAndReleasing
    ).exchanged
  }

  /// Nobody does any more.
  ///
  /// - Returns: Whether nothing is known of it; otherwise ``closeKnown(_:)`` is to be called.
  @inlinable
  func close(_ number: UInt64) -> Bool {
    only.compareExchange(
      expected: number &* 2, desired: .max, ordering: .acquiringAndReleasing
    ).exchanged
  }

  @inlinable
  func takeSpare() -> ReplyToken? {
    spare.exchange(nil, ordering: .acquiringAndReleasing)?.takeRetainedValue()
  }

  @inlinable
  func keepSpare(_ token: ReplyToken) {
    spare.exchange(Unmanaged.passRetained(token), ordering: .acquiringAndReleasing)?.release()
  }

  // MARK: Under the lock

  @usableFromInline
  func openOther(_ number: UInt64) { others[number] = Entry() }

  /// - Returns: How the action has ended, as far as is known, if not by finishing.
  @usableFromInline
  func closeKnown(_ number: UInt64) -> ActionEnd? {
    guard isOnly(number) else {
      defer { if others.isEmpty, others.capacity > 64 { others = [:] } }
      return others.removeValue(forKey: number)?.end
    }
    let end = known.end
    known = Entry()
    only.store(.max, ordering: .releasing)
    return end
  }

  /// Who is to be told when the reactor ends.
  ///
  /// - Returns: Whether it has.
  func tell(_ waiter: AskWaiter, endOf number: UInt64) -> Bool {
    change(number) { $0.waiter = waiter }
    return entry(of: number)?.isReactorOver ?? false
  }

  /// The first end of an action is the one that counts.
  func note(_ end: ActionEnd, of number: UInt64) {
    change(number) { if $0.end == nil { $0.end = end } }
  }

  func end(of number: UInt64) -> ActionEnd? { entry(of: number)?.end }

  /// The reactor has ended.
  ///
  /// - Returns: Those to tell.
  func reactorEnded() -> [AskWaiter] {
    let number = only.load(ordering: .acquiring)
    let numbers = (number == .max ? [] : [number / 2]) + others.keys
    for number in numbers { change(number) { $0.isReactorOver = true } }
    return numbers.compactMap { entry(of: $0)?.waiter }
  }

  private func isOnly(_ number: UInt64) -> Bool {
    number < UnsentNumber.first && only.load(ordering: .acquiring) | 1 == number &* 2 | 1
  }

  private func entry(of number: UInt64) -> Entry? {
    isOnly(number) ? known : others[number]
  }

  private func change(_ number: UInt64, _ body: (inout Entry) -> Void) {
    if isOnly(number) {
      // Known from here on; unless whoever asked has just closed it, and wants to know nothing.
      let (isFirst, found) = only.compareExchange(
        expected: number &* 2, desired: number &* 2 | 1, ordering: .acquiringAndReleasing)
      if isFirst || found == number &* 2 | 1 { body(&known) }
    } else if var entry = others[number] {
      body(&entry)
      others[number] = entry
    }
  }
}
