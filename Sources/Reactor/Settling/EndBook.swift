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
  /// How many ends stand with work that goes on, and come here when it has ended.
  @exclusivity(unchecked) @usableFromInline var openEnds = 0
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
    questions.isEmpty && recent.isEmpty && openEnds == 0 && forgotten == nil && parents.isEmpty
  }

  /// Whether there is nothing in it but what may yet be asked for.
  @usableFromInline var isQuiet: Bool { questions.isEmpty && openEnds == 0 && parents.isEmpty }

  // MARK: Writing

  /// Whether an end of the action can be written down: none was before, and it is one that
  /// somebody may ask for.
  @usableFromInline
  func isNews(of number: UInt64) -> Bool {
    // A hook has made those beyond, and nobody has a receipt.
    number < UnsentNumber.first && (number > highest || place(of: number) == nil)
  }

  /// Tells those who have asked of an end that is being written down.
  @usableFromInline
  func answer(_ end: ActionEnd, of number: UInt64) {
    highest = max(highest, number)
    // Looked up first: to change what is not there makes memory for it.
    if !questions.isEmpty, questions[number] != nil { questions[number]?.end = end }
  }

  /// Keeps the end of an action, in the place of the oldest one if there is no other.
  ///
  /// - Returns: The one that has gone for it, to be released outside the lock: an error goes with
  ///   it, whose `deinit` is anybody's.
  @usableFromInline
  func keep(_ end: ActionEnd, of number: UInt64) -> (number: UInt64, end: ActionEnd)? {
    guard recent.count == Self.room else {
      recent.append((number, end))
      return nil
    }
    let leaving = recent[oldest]
    recent[oldest] = (number, end)
    oldest = (oldest + 1) % Self.room
    return leaving
  }

  /// How the action ended is not known any more.
  @usableFromInline
  func forget(_ number: UInt64) { forgotten = max(forgotten ?? 0, number) }

  /// All of an action's work has ended.
  @usableFromInline
  func settle(_ number: UInt64) {
    guard !parents.isEmpty else { return }
    parents[number] = nil
    if parents.isEmpty { parents = [:] }
  }

  func include(_ twin: UInt64, in number: UInt64) { parents[twin] = parents[number] ?? number }

  /// The action that a hook has made this one of, if it has; else this one.
  @usableFromInline
  func origin(of number: UInt64) -> UInt64 {
    parents.isEmpty ? number : parents[number] ?? number
  }

  // MARK: Asking

  /// How an action ended, if that is known and it did not finish.
  func end(of number: UInt64) -> ActionEnd? { place(of: number).map { recent[$0].end } }

  /// Where an action's end is in the ring.
  ///
  /// By index: an end that is passed on is retained.
  private func place(of number: UInt64) -> Int? {
    recent.indices.first { recent[$0].number == number }
  }

  /// Somebody wants to know, and will call ``answer(_:)``.
  ///
  /// - Parameters:
  ///   - number: The action.
  ///   - isOpen: Whether it has work.
  ///   - end: What stands with that work.
  func ask(_ number: UInt64, isOpen: Bool, end: ActionEnd?) {
    var question = questions[number] ?? Question()
    if question.askers == 0 {
      question.end = end ?? self.end(of: number)
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
