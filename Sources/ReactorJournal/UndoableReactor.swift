public import Reactor

/// A journaled reactor whose changes can be taken back.
///
/// To undo is to add a mutation, never to take one out of the history: what other actions have done
/// in between stays. What can be undone is read from the journal, so that it survives a restart.
///
/// ```swift
/// actor CartReactor: Reactor, JournaledReactor, UndoableReactor {
///   static func undoing(_ mutation: Mutation, in before: State) -> Mutation? {
///     switch mutation {
///     case .added(let book): .removed(book.id)
///     case .removed(let id): before.books.first { $0.id == id }.map { .added($0) }
///     case .visited: nil  // not a change that anybody would take back
///     }
///   }
/// }
/// ```
public protocol UndoableReactor: JournaledReactor {
  /// What takes a mutation back.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - before: The state that it was reduced into.
  /// - Returns: A mutation that makes up for it; `nil` if it is to be passed by.
  static func undoing(_ mutation: Mutation, in before: State) -> Mutation?

  /// What makes a change again that was taken back; by default the mutation that it was.
  ///
  /// To be written where a mutation also ends something of the moment, such as a spinner, that is
  /// not under way when the change is made again.
  ///
  /// - Parameter mutation: The mutation.
  /// - Returns: What is kept in its place.
  static func redoing(_ mutation: Mutation) -> Mutation

  /// How many changes can be undone, from the newest back; by default 100. With 0 there is no undo.
  static var undoLimit: Int { get }

  /// Whether undoing and redoing cancel all effects that run, as they began before; by default not.
  static var undoCancelsEffects: Bool { get }
}

extension UndoableReactor {
  /// The mutation that it was.
  ///
  /// - Parameter mutation: The mutation.
  /// - Returns: The same.
  public static func redoing(_ mutation: Mutation) -> Mutation { mutation }
  /// A hundred.
  public static var undoLimit: Int { 100 }
  /// They go on.
  public static var undoCancelsEffects: Bool { false }

  /// Takes the newest change back that has not been.
  ///
  /// **Order**: what it adds is reduced when it returns true, and kept; a change that comes in
  /// between is the one that is undone.
  ///
  /// - Returns: Whether there was one.
  /// - Throws: ``JournalError`` where the history cannot be read, or the store fails.
  @discardableResult
  nonisolated(nonsending) public func undo() async throws -> Bool {
    try await step(.undo)
  }

  /// Does once more what was undone last; a new change since then has cleared that.
  ///
  /// - Returns: Whether there was something.
  /// - Throws: ``JournalError`` where the history cannot be read, or the store fails.
  @discardableResult
  nonisolated(nonsending) public func redo() async throws -> Bool {
    try await step(.redo)
  }

  nonisolated(nonsending) private func step(
    _ direction: UndoDirection
  ) async throws -> Bool {
    guard let writer else { return false }
    while true {
      // What is not kept yet cannot be read.
      try await pipeline.durable()
      let replay = writer.journal.replay(of: Self.self, writer.key)
      let plan = try await UndoPlan<Self>(replay, toFind: direction)
      guard let step = plan.step(direction) else { return false }
      guard await putIn(step, after: plan.last) else {
        if let failure = pipeline.gate?.failure { throw failure }
        if await hasEnded { throw JournalError.ended(writer.key) }
        continue
      }
      try await pipeline.durable()
      return true
    }
  }

  private var hasEnded: Bool { !pipeline.isRunning(on: self) }

  private func putIn(_ step: UndoPlan<Self>.Step, after last: Int) -> Bool {
    guard pipeline.lastMutation(on: self) == last else { return false }
    if Self.undoCancelsEffects { pipeline.cancelEffects(on: self) }
    return pipeline.putIn(step.mutation, note: step.kind, after: last, on: self)
  }
}

enum UndoDirection { case undo, redo }

/// What can be undone and redone, as the journal says.
struct UndoPlan<R: UndoableReactor>: Sendable {
  struct Step: Sendable {
    let mutation: R.Mutation
    let kind: JournalEntry.Kind
  }

  /// The last entry that this has seen.
  let last: Int
  let undo: Step?
  let redo: Step?

  /// Reads the history from the newest snapshot on, and from the beginning where that is not enough
  /// to know: what an entry did, and to which state, is seen only in passing.
  init(_ replay: Replay<R>, toFind direction: UndoDirection) async throws {
    let plan = try await Self(replay, fromStart: false)
    let isEnough = plan.step(direction) != nil && !plan.isUnsure
    self = isEnough ? plan : try await Self(replay, fromStart: true)
  }

  func step(_ direction: UndoDirection) -> Step? {
    switch direction {
    case .undo: undo
    case .redo: redo
    }
  }

  /// Whether something refers to what was before.
  private let isUnsure: Bool

  private init(_ replay: Replay<R>, fromStart: Bool) async throws {
    let extent = try await replay.store.extent(of: replay.key)
    var stacks = UndoStacks<R>(limit: R.undoLimit)
    _ = try await replay.state(at: extent.last, in: extent, fromStart: fromStart) {
      stacks.add($0, $1, before: $2)
    }
    last = extent.last
    (undo, redo, isUnsure) = (stacks.nextUndo, stacks.nextRedo, stacks.isUnsure)
  }
}

/// The changes that stand, and those that were undone: newest last.
struct UndoStacks<R: UndoableReactor> {
  /// A change, and the states that it was reduced into.
  private struct Done {
    let sequence: Int
    let mutation: R.Mutation
    /// What takes it back.
    let inverse: R.Mutation
  }

  private let limit: Int
  private var done: [Done] = []
  private var undone: [Done] = []
  /// Whether an entry referred to one that has not come by.
  private(set) var isUnsure = false

  init(limit: Int) { self.limit = limit }

  var nextUndo: UndoPlan<R>.Step? {
    done.last.map { UndoPlan<R>.Step(mutation: $0.inverse, kind: .undo($0.sequence)) }
  }

  var nextRedo: UndoPlan<R>.Step? {
    undone.last.map { UndoPlan<R>.Step(mutation: R.redoing($0.mutation), kind: .redo($0.sequence)) }
  }

  mutating func add(_ entry: JournalEntry, _ mutations: [R.Mutation], before state: R.State) {
    switch entry.kind {
    case .command: break
    case .change:
      // What came of one entry by an upgrade is taken back as one only where it is one.
      guard mutations.count == 1, let mutation = mutations.first else { return }
      guard let inverse = R.undoing(mutation, in: state) else { return }
      undone = []
      push(Done(sequence: entry.sequence, mutation: mutation, inverse: inverse))
    case .undo(let target):
      guard let index = done.lastIndex(where: { $0.sequence == target }) else {
        isUnsure = true
        return
      }
      undone.append(done.remove(at: index))
    case .redo(let target):
      guard let index = undone.lastIndex(where: { $0.sequence == target }) else {
        isUnsure = true
        return
      }
      let one = undone.remove(at: index)
      guard mutations.count == 1, let mutation = mutations.first else { return }
      guard let inverse = R.undoing(mutation, in: state) else { return }
      push(Done(sequence: one.sequence, mutation: one.mutation, inverse: inverse))
    }
  }

  private mutating func push(_ one: Done) {
    done.append(one)
    if done.count > limit { done.removeFirst(done.count - limit) }
  }
}
