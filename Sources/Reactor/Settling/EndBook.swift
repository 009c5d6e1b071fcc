/// How actions ended that did not finish: for whoever asks, and the last few for whoever may yet
/// ask.
///
/// That an action finished is never written down: it is what is left once all else is known. So the
/// book says of which actions it does not know any more.
///
/// It exists only while there is something in it, and stands in the ``EndArchive`` while its
/// reactor does nothing.
///
/// `@unchecked`. Guard of every field: the lock of the ``SettlingLedger`` it belongs to.
@usableFromInline
final class EndBook: @unchecked Sendable {
  /// What somebody waits to know.
  private struct Question {
    var askers = 0
    var end: ActionEnd?
    var isForgotten = false
  }

  /// How many ends are kept for those who ask late.
  static let room = 16

  // Nothing in here calls out while it changes a field, so no access can meet another.

  @exclusivity(unchecked) private var questions: [UInt64: Question] = [:]
  /// The newest ends, in a ring.
  @exclusivity(unchecked) private var recent: [(number: UInt64, end: ActionEnd)] = []
  @exclusivity(unchecked) private var oldest = 0
  /// Ends of actions some of whose work goes on, which are kept until it has ended too.
  @exclusivity(unchecked) private var unsettled: [UInt64: ActionEnd] = [:]
  /// The highest number whose end has been forgotten.
  @exclusivity(unchecked) private var forgotten: UInt64?
  /// The highest number whose end was ever written down.
  @exclusivity(unchecked) @usableFromInline private(set) var highest: UInt64
  /// Whose ends these are.
  let key: UInt
  /// Whose twins are on their way.
  @exclusivity(unchecked) private var parents: [UInt64: UInt64] = [:]

  init(_ key: UInt, forgotten: UInt64? = nil) {
    self.key = key
    self.forgotten = forgotten
    highest = forgotten ?? 0
  }

  @usableFromInline var isEmpty: Bool {
    questions.isEmpty && recent.isEmpty && unsettled.isEmpty && forgotten == nil
      && parents.isEmpty
  }

  /// Whether there is nothing in it but what may yet be asked for.
  @usableFromInline var isQuiet: Bool { questions.isEmpty && unsettled.isEmpty && parents.isEmpty }

  // MARK: Writing

  /// An end, unless another one of the same action was written down before.
  ///
  /// - Parameters:
  ///   - end: How it ended.
  ///   - number: The action, or a twin of it.
  ///   - isOpen: Whether there is still work of an action.
  /// - Returns: An end that is forgotten for it, to be released outside the lock: an error goes
  ///   with it, whose `deinit` is anybody's.
  @usableFromInline
  func note(_ end: ActionEnd, of number: UInt64, isOpen: (UInt64) -> Bool) -> ActionEnd? {
    var end = end
    // Of one of several it is not known whether another has begun.
    if case .neverBegun = end, parents[number] != nil { end = .reactorEnded }
    let number = parents[number] ?? number
    // A hook made it, and nobody has a receipt.
    guard number < UnsentNumber.first, !knows(number) else { return nil }
    // Looked up first: to change what is not there makes memory for it.
    if questions[number] != nil { questions[number]?.end = end }
    highest = max(highest, number)
    return keep(end, of: number, isOpen: isOpen)
  }

  private func keep(
    _ end: ActionEnd, of number: UInt64, isOpen: (UInt64) -> Bool
  ) -> ActionEnd? {
    guard recent.count == Self.room else {
      recent.append((number, end))
      return nil
    }
    let leaving = recent[oldest]
    recent[oldest] = (number, end)
    oldest = (oldest + 1) % Self.room
    guard isOpen(leaving.number) else {
      forgotten = max(forgotten ?? 0, leaving.number)
      return leaving.end
    }
    unsettled[leaving.number] = leaving.end
    return nil
  }

  /// All of an action's work has ended.
  ///
  /// - Returns: An end that is forgotten, as ``note(_:of:isOpen:)`` does.
  @usableFromInline
  func settle(_ number: UInt64, isOpen: (UInt64) -> Bool) -> ActionEnd? {
    if !parents.isEmpty { parents[number] = nil }
    if parents.isEmpty { parents = [:] }
    guard !unsettled.isEmpty, let end = unsettled.removeValue(forKey: number) else { return nil }
    if unsettled.isEmpty { unsettled = [:] }
    return keep(end, of: number, isOpen: isOpen)
  }

  func include(_ twin: UInt64, in number: UInt64) { parents[twin] = parents[number] ?? number }

  func origin(of number: UInt64) -> UInt64 { parents[number] ?? number }

  // MARK: Asking

  /// How an action ended, if that is known and it did not finish.
  func end(of number: UInt64) -> ActionEnd? {
    unsettled[number] ?? place(of: number).map { recent[$0].end }
  }

  /// Where an action's end is in the ring.
  ///
  /// By index: an end that is passed on is retained.
  private func place(of number: UInt64) -> Int? {
    recent.indices.first { recent[$0].number == number }
  }

  /// Whether it is known how an action ended.
  private func knows(_ number: UInt64) -> Bool {
    place(of: number) != nil || !unsettled.isEmpty && unsettled[number] != nil
  }

  /// Somebody wants to know, and will call ``answer(_:)``.
  func ask(_ number: UInt64, isOpen: Bool) {
    var question = questions[number] ?? Question()
    if question.askers == 0 {
      question.end = end(of: number)
      question.isForgotten = !isOpen && number <= forgotten ?? 0 && forgotten != nil
    }
    question.askers += 1
    questions[number] = question
  }

  /// What somebody who has asked gets, once the action has settled.
  func answer(_ number: UInt64) -> ActionOutcome {
    guard var question = questions[number] else { return .forgotten }
    question.askers -= 1
    questions[number] = question.askers == 0 ? nil : question
    if questions.isEmpty { questions = [:] }
    return question.end?.outcome ?? (question.isForgotten ? .forgotten : .finished)
  }
}
