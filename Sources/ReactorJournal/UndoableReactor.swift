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
///     case .visited: nil  // not a change that is ever taken back
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
  /// - Returns: A mutation that makes up for it; `nil` if it is to be passed by. Then it does not
  ///   clear what can be redone either.
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
  /// - Throws: ``JournalError`` where the history cannot be read, or the store fails;
  ///   ``JournalError/deleted(_:through:)`` where all that could be undone has been deleted, and
  ///   ``JournalError/busy(_:)`` where others change the state all the time.
  @discardableResult
  nonisolated(nonsending) public func undo() async throws -> Bool {
    try await step(.undo)
  }

  /// Does once more what was undone last; a new change since then has cleared that.
  ///
  /// - Returns: Whether there was something.
  /// - Throws: ``JournalError``, as ``undo()`` does.
  @discardableResult
  nonisolated(nonsending) public func redo() async throws -> Bool {
    try await step(.redo)
  }

  nonisolated(nonsending) private func step(
    _ direction: UndoDirection
  ) async throws -> Bool {
    guard let writer, Self.undoLimit > 0 else { return false }
    for _ in 1...Self.undoTries {
      // What is not kept yet cannot be read.
      try await pipeline.durable()
      let replay = writer.journal.replay(of: Self.self, writer.key)
      let plan = try await UndoPlan<Self>(replay, toFind: direction)
      guard let step = plan.step(direction) else {
        if let through = plan.lost(direction) {
          throw JournalError.deleted(writer.key, through: through)
        }
        return false
      }
      guard await add(step, after: plan.last) else {
        if let failure = gate?.failure { throw failure }
        if await hasEnded { throw JournalError.ended(writer.key) }
        continue
      }
      try await pipeline.durable()
      return true
    }
    throw JournalError.busy(writer.key)
  }

  /// How often the history is read anew because something has come in between.
  private static var undoTries: Int { 16 }

  private var hasEnded: Bool { !pipeline.isRunning(on: self) }

  /// Adds the mutation of a step, unless another one has come since.
  private func add(_ step: UndoPlan<Self>.Step, after last: Int) -> Bool {
    guard let gate, gate.last == last else { return false }
    if Self.undoCancelsEffects { pipeline.cancelEffects(on: self) }
    guard gate.last == last, gate.failure == nil else { return false }
    return gate.writing(as: step.kind) { pipeline.reduce(step.mutation, on: self) }
  }
}
