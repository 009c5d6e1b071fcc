public import Reactor

/// A journaled reactor whose changes can be undone and redone.
///
/// ```swift
/// actor ShoppingList: Reactor, UndoableReactor {
///   enum Action: Codable { case add(String), remove(String), undo }
///   enum Mutation: Codable { case added(String), removed(String) }
///   struct State: Codable, Equatable { var items: Set<String> = [] }
///
///   static let journalName = "shopping list"
///   static let journalVersion = 1
///   static let initialState = State()
///   let pipeline = Pipeline()
///
///   func mutate(action: Action) -> MutationStream<Mutation> {
///     switch action {
///     case .add(let item): .just(.added(item))
///     case .remove(let item): .just(.removed(item))
///     case .undo: .run { _ in try await self.undo() }
///     }
///   }
///
///   static func reduce(state: inout State, mutation: Mutation) {
///     switch mutation {
///     case .added(let item): state.items.insert(item)
///     case .removed(let item): state.items.remove(item)
///     }
///   }
///
///   // A mutation that changed nothing has no inverse.
///   static func undoing(_ mutation: Mutation, in before: State) -> Mutation? {
///     switch mutation {
///     case .added(let item): before.items.contains(item) ? nil : .removed(item)
///     case .removed(let item): before.items.contains(item) ? .added(item) : nil
///     }
///   }
/// }
/// ```
///
/// An undo adds the inverse mutation. It removes nothing from the history, so changes by other
/// actions in between remain. What can be undone is read from the journal, so it survives a
/// restart.
///
/// A change for which ``undoing(_:in:)`` returns `nil` is skipped. Any other new change clears what
/// can be redone.
public protocol UndoableReactor: JournaledReactor {
  /// Returns the mutation that undoes another one.
  ///
  /// - Parameters:
  ///   - mutation: The mutation to undo.
  ///   - before: The state before that mutation.
  /// - Returns: The inverse mutation; `nil` if the mutation is skipped by undo. Then it does not
  ///   clear what can be redone either.
  static func undoing(_ mutation: Mutation, in before: State) -> Mutation?

  /// Returns the mutation that redoes a change; by default the original mutation.
  ///
  /// Implement it if the mutation also ends something transient, such as a spinner, that is not
  /// shown when the change is redone.
  ///
  /// - Parameter mutation: The original mutation.
  /// - Returns: The mutation that is stored instead.
  static func redoing(_ mutation: Mutation) -> Mutation

  /// How many of the newest changes can be undone; by default 100. With 0 there is no undo.
  static var undoLimit: Int { get }

  /// Whether undo and redo cancel all running effects, which began before them; by default not.
  static var undoCancelsEffects: Bool { get }
}

extension UndoableReactor {
  /// Returns the original mutation.
  ///
  /// - Parameter mutation: The mutation.
  /// - Returns: The same mutation.
  public static func redoing(_ mutation: Mutation) -> Mutation { mutation }
  /// 100 changes.
  public static var undoLimit: Int { 100 }
  /// Effects continue.
  public static var undoCancelsEffects: Bool { false }

  /// Undoes the newest change that has not been undone.
  ///
  /// **Runs on** the caller's executor.
  ///
  /// **Order**: when it returns true, the inverse mutation has been reduced and is durable. If
  /// another change arrives meanwhile, that change is the one that is undone.
  ///
  /// - Returns: Whether there was a change to undo.
  /// - Throws: ``JournalError`` if the history cannot be read or the store fails;
  ///   ``JournalError/deleted(_:through:)`` if all changes that could be undone have been deleted;
  ///   ``JournalError/busy(_:)`` if other changes keep arriving.
  @discardableResult
  nonisolated(nonsending) public func undo() async throws -> Bool {
    try await step(.undo)
  }

  /// Redoes the change that was undone last; a new change clears what can be redone.
  ///
  /// - Returns: Whether there was a change to redo.
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
      // Only stored entries can be read.
      try await pipeline.durable()
      let replay = writer.journal.replay(of: Self.self, writer.key)
      let plan = try await UndoPlan<Self>(replay, toFind: direction)
      guard let step = plan.step(direction) else {
        if let through = plan.deletedThrough(direction) {
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

  /// How often the history is read again because another change has arrived.
  private static var undoTries: Int { 16 }

  private var hasEnded: Bool { !pipeline.isRunning(on: self) }

  /// Adds the mutation of a step, unless another mutation has been added since.
  private func add(_ step: UndoPlan<Self>.Step, after last: Int) -> Bool {
    guard let gate, gate.last == last else { return false }
    if Self.undoCancelsEffects { pipeline.cancelEffects(on: self) }
    guard gate.last == last, gate.failure == nil else { return false }
    return gate.writing(as: step.kind) { pipeline.reduce(step.mutation, on: self) }
  }
}
