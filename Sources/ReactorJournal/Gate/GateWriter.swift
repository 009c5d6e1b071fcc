import Reactor

/// Writes what an ``OutputGate`` holds back.
protocol GateWriter<Mutation, State>: AnyObject, Sendable {
  associatedtype Mutation: Sendable
  associatedtype State: Sendable

  /// Whether a mutation is to be written; called on the reactor, once for each.
  func writes(_ mutation: Mutation) -> Bool

  /// Every how many entries the state is handed over with one; 0 for never.
  var hashesEvery: Int { get }

  /// How many entries are written together, if there are as many. With more than one, those of an
  /// action are not parted for it.
  var batchLimit: Int { get }

  /// Whether nothing waits for entries to be written.
  var isBehind: Bool { get }

  /// Waits until the next batch may be taken; returns at once when it is hurried.
  func prepare() async

  /// Something waits: `prepare()` is to return.
  func hurry()

  /// What is known of a command that has been written; `nil` if nothing is.
  func command(_ id: String) async throws -> KeptCommand?

  /// Writes entries, in order: all or none. Never called for two batches at a time.
  func write(_ batch: [GateEntry<Mutation, State>]) async throws

  /// A batch is durable, and what waited for it has been released; called on the reactor.
  ///
  /// - Parameters:
  ///   - state: The state, if it is made of what is written and of nothing else.
  ///   - sequence: The last entry of the batch.
  func written(_ state: State?, at sequence: Int)

  /// The reactor has ended; nothing more is written.
  func close() async
}

/// A mutation or a command on its way to where it is written.
struct GateEntry<Mutation: Sendable, State: Sendable>: Sendable {
  let sequence: Int
  let kind: JournalEntry.Kind
  /// `nil` where it is a command.
  var mutation: Mutation?
  var command: KeptCommand?
  /// The number of the action whose work it is of, where that is known.
  var cause: UInt64?
  var state: State?
}
