/// Where a reactor's mutations are kept: all that the pipeline knows of journals.
package protocol MutationKeeper<Mutation, State>: AnyObject, Sendable {
  associatedtype Mutation: Sendable
  associatedtype State: Sendable

  /// Whether a mutation is to be kept; called on the reactor.
  func keeps(_ mutation: Mutation) -> Bool

  /// Whether the state after a mutation is to be handed over with it; called on the reactor.
  func wantsState(after sequence: Int) -> Bool

  /// How many mutations are kept together, if there are as many. With more than one, those of an
  /// action are not parted for it.
  var batchLimit: Int { get }

  /// Whether nothing waits for mutations to be kept.
  var isBehind: Bool { get }

  /// Waits until the next batch may be taken; returns at once when it is hurried.
  func prepare() async

  /// Somebody waits: whoever prepares is to come to an end.
  func hurry()

  /// What is known of a command that has been kept; `nil` if nothing is.
  func command(_ id: String) async throws -> KeptCommand?

  /// Keeps mutations, in order: all or none.
  func keep(_ batch: [KeptMutation<Mutation, State>]) async throws

  /// A batch has been kept, and is known of; called on the reactor.
  func kept(_ state: State?, at sequence: Int)

  /// The reactor has ended; nothing more is kept.
  func close() async
}

/// A mutation on its way to where it is kept.
@usableFromInline
package struct KeptMutation<Mutation: Sendable, State: Sendable>: Sendable {
  package let sequence: Int
  /// `nil` where what is kept is a command.
  package let mutation: Mutation?
  package let command: KeptCommand?
  /// The number of the action whose work it is of, where that is known.
  package let cause: UInt64?
  /// What whoever put the mutation in wants to have written beside it.
  package let note: (any Sendable)?
  package let state: State?
}
