/// Which actions of a reactor somebody waits to be answered, how they have ended so far, and whom
/// to tell when the reactor ends.
///
/// Mostly it is one at a time, which costs no memory of its own.
///
/// Guard of every field: the lock of the pipeline's shared things.
@usableFromInline
final class AskBook: Sendable {
  struct Entry: Sendable {
    /// How the action has ended, if not by finishing.
    var end: ActionEnd?
    var waiter: AskWaiter?
    var isReactorOver = false
  }

  /// The one that most often is the only one; `.max` where there is none.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var number = UInt64.max
  /// What is known of it, which is nothing as long as nobody has to wait.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var isKnown = false
  private nonisolated(unsafe) var known = Entry()
  private nonisolated(unsafe) var others: [UInt64: Entry] = [:]
  /// A token that nobody has any more.
  @exclusivity(unchecked) @usableFromInline nonisolated(unsafe) var spare: ReplyToken?

  @usableFromInline
  init() {}

  var isEmpty: Bool { number == .max && others.isEmpty }

  /// Somebody waits for this one, which nobody has taken yet.
  @inlinable
  func open(_ number: UInt64) {
    if self.number == .max { self.number = number } else { openOther(number) }
  }

  @usableFromInline
  func openOther(_ number: UInt64) { others[number] = Entry() }

  /// Nobody does any more.
  ///
  /// - Returns: How the action has ended, as far as is known, if not by finishing.
  @inlinable
  func close(_ number: UInt64) -> ActionEnd? {
    guard number == self.number, !isKnown else { return closeKnown(number) }
    self.number = .max
    return nil
  }

  @usableFromInline
  func closeKnown(_ number: UInt64) -> ActionEnd? {
    guard number == self.number else {
      defer { if others.isEmpty, others.capacity > 64 { others = [:] } }
      return others.removeValue(forKey: number)?.end
    }
    defer { (self.number, isKnown, known) = (.max, false, Entry()) }
    return known.end
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
    for number in [number] + others.keys { change(number) { $0.isReactorOver = true } }
    return ([known] + others.values).compactMap(\.waiter)
  }

  private func entry(of number: UInt64) -> Entry? {
    number == self.number ? known : others[number]
  }

  private func change(_ number: UInt64, _ body: (inout Entry) -> Void) {
    guard number != .max else { return }
    if number == self.number {
      isKnown = true
      body(&known)
    } else if var entry = others[number] {
      body(&entry)
      others[number] = entry
    }
  }
}
