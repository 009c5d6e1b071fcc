import Reactor

/// Writes the entries of an ``OutputGate``.
protocol GateWriter<Mutation, State>: AnyObject, Sendable {
  associatedtype Mutation: Sendable
  associatedtype State: Sendable

  /// Whether a mutation is to be written; called on the reactor, once for each.
  func writes(_ mutation: Mutation) -> Bool

  /// After how many entries an entry contains the state, for its hash; 0 for never.
  var hashesEvery: Int { get }

  /// The maximum number of entries in a batch.
  ///
  /// If it is more than one, the mutations of one action exceed it rather than being split.
  var batchLimit: Int { get }

  /// Whether outputs do not wait until entries are written.
  var isWriteBehind: Bool { get }

  /// Waits until the next batch may be taken; returns at once after ``expedite()``.
  func prepare() async

  /// Makes `prepare()` return, now or for the next batch, since something waits for it.
  func expedite()

  /// Returns the record of a command that has been written; `nil` if there is none.
  func command(_ id: String) async throws -> StoredCommand?

  /// Writes all entries in order, or none; never called concurrently.
  func write(_ batch: [GateEntry<Mutation, State>]) async throws

  /// Called on the reactor when a batch is durable and what waited for it has been released.
  ///
  /// - Parameters:
  ///   - state: The state, if it consists of written mutations only.
  ///   - sequence: The last entry of the batch.
  func written(_ state: State?, at sequence: Int)

  /// Called when the reactor has ended; nothing more is written.
  func close() async
}

/// A mutation or a command that is to be written.
struct GateEntry<Mutation: Sendable, State: Sendable>: Sendable {
  let sequence: Int
  let kind: JournalEntry.Kind
  /// `nil` for a command.
  var mutation: Mutation?
  var command: StoredCommand?
  /// The number of the action that emitted the mutation; `nil` if it is not known.
  var cause: UInt64?
  /// The state after the mutation, if its hash is to be written.
  var state: State?
  /// The state to show when the entry is durable, if it is known before the entry is taken.
  var shown: StagedView<State>?
}
