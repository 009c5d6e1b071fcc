enum UndoDirection { case undo, redo }

/// The changes that can be undone and redone next, according to the journal.
struct UndoPlan<R: UndoableReactor>: Sendable {
  struct Step: Sendable {
    let mutation: R.Mutation
    let kind: JournalEntry.Kind
  }

  /// The last entry that was read.
  let last: Int
  let undo: Step?
  let redo: Step?

  /// Reads the history from the newest snapshot on, and from the beginning if that is not enough.
  ///
  /// The inverse of a mutation depends on the state before it, which is only available while the
  /// entries are folded.
  init(_ replay: Replay<R>, toFind direction: UndoDirection) async throws {
    let plan = try await Self(replay, fromStart: false)
    let isEnough = plan.step(direction) != nil && !plan.isIncomplete
    self = isEnough ? plan : try await Self(replay, fromStart: true)
  }

  func step(_ direction: UndoDirection) -> Step? {
    switch direction {
    case .undo: undo
    case .redo: redo
    }
  }

  /// Whether an entry refers to one that was not read.
  private let isIncomplete: Bool
  /// The place where the history begins, if earlier entries have been deleted.
  private let cut: Int?
  private let stacks: (hasDropped: Bool, mayHaveLostUndone: Bool)

  /// How far the history has been deleted, if a deleted change could have been undone or redone;
  /// otherwise `nil`.
  ///
  /// It is meant for the case that there is nothing left to undo or redo.
  func deletedThrough(_ direction: UndoDirection) -> Int? {
    switch direction {
    case .undo: stacks.hasDropped ? nil : cut
    case .redo: stacks.mayHaveLostUndone ? cut : nil
    }
  }

  private init(_ replay: Replay<R>, fromStart: Bool) async throws {
    let extent = try await replay.store.extent(of: replay.key)
    let (last, cut, stacks) = try await replay.withExtent(extent) { extent in
      var stacks = UndoStacks<R>(limit: R.undoLimit)
      let point = try await replay.attempt(extent.last, in: extent, fromStart: fromStart) {
        stacks.add($0, $1, before: $2)
      }
      let cut = extent.deleted > 0 ? point.sequence - point.folded : nil
      return (extent.last, cut, stacks)
    }
    (self.last, self.cut) = (last, cut)
    self.stacks = (stacks.hasDropped, stacks.mayHaveLostUndone)
    (undo, redo, isIncomplete) = (stacks.nextUndo, stacks.nextRedo, stacks.isIncomplete)
  }
}

/// The changes that are in effect, and those that were undone; oldest first.
struct UndoStacks<R: UndoableReactor> {
  /// A change with its inverse.
  private struct Done {
    let sequence: Int
    let mutation: R.Mutation
    /// The mutation that undoes it.
    let inverse: R.Mutation
  }

  private let limit: Int
  private var done: [Done] = []
  private var undone: [Done] = []
  /// Whether an entry referred to one that was not read.
  private(set) var isIncomplete = false
  /// Whether there were more changes than the limit.
  private(set) var hasDropped = false
  /// How many undone changes were not read.
  private var lostUndone = 0
  /// Whether a change was read; it clears everything that was undone before and could be redone.
  private var hasCleared = false

  init(limit: Int) { self.limit = limit }

  /// Whether an entry that was not read may be undone and could be redone.
  var mayHaveLostUndone: Bool { lostUndone > 0 || !hasCleared }

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
      // If an upgrade made several mutations from an entry, or none, it cannot be undone as one
      // change.
      guard mutations.count == 1, let mutation = mutations.first else { return }
      guard let inverse = R.undoing(mutation, in: state) else { return }
      (undone, lostUndone, hasCleared) = ([], 0, true)
      push(Done(sequence: entry.sequence, mutation: mutation, inverse: inverse))
    case .undo(let target):
      guard let index = done.lastIndex(where: { $0.sequence == target }) else {
        isIncomplete = true
        lostUndone += 1
        return
      }
      undone.append(done.remove(at: index))
    case .redo(let target):
      let index = undone.lastIndex { $0.sequence == target }
      let one = index.map { undone.remove(at: $0) }
      if one == nil {
        isIncomplete = true
        lostUndone = max(0, lostUndone - 1)
      }
      guard mutations.count == 1, let mutation = mutations.first else { return }
      guard let inverse = R.undoing(mutation, in: state) else { return }
      push(Done(sequence: target, mutation: one?.mutation ?? mutation, inverse: inverse))
    }
  }

  private mutating func push(_ one: Done) {
    done.append(one)
    guard done.count > limit else { return }
    done.removeFirst(done.count - limit)
    hasDropped = true
  }
}
