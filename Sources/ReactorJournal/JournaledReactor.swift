public import Reactor

/// A reactor whose mutations are stored, and whose state is restored from them.
///
/// ```swift
/// actor CartReactor: Reactor, JournaledReactor {
///   enum Action { case add(Book) }
///   enum Mutation: Codable { case added(Book) }
///   struct State: Codable { var books: [Book] = [] }
///
///   static let journalName = "cart"
///   static let journalVersion = 1
///   static let initialState = State()
///   let pipeline = Pipeline()
///
///   func mutate(action: Action) -> MutationStream<Mutation> { … }
///
///   static func reduce(state: inout State, mutation: Mutation) { … }
/// }
/// ```
///
/// The initial state and `reduce` are static, so a replay needs no reactor. The compiler does not
/// check what else they use: a static function can still read the clock, or use a global variable.
/// `reduce` must depend on its parameters alone. The same mutations then make the same state, in
/// another process and years later. `assertReplayable` of ReactorJournalTesting and
/// ``JournalOptions/hashesEvery`` find a `reduce` that is not deterministic.
///
/// If you also write them as instance members, the code does not compile, since the reactor would
/// run with one and be restored with the other.
///
/// **Opening**: ``Journal/open(_:durability:_:)`` opens it. A reactor that was not opened takes no
/// action, and reports that.
///
/// **Order**: mutations are stored in the order in which they are reduced.
public protocol JournaledReactor: _JournaledMemberChecks
where
  Mutation: Codable, State: Codable, _OwnReduce: _ReduceMustBeStatic,
  _OwnInitialState: _InitialStateMustBeStatic
{
  /// The name under which journals of this type are stored, together with an identifier.
  ///
  /// Do not use the name of the type, which may change.
  static var journalName: String { get }

  /// The current version of the encoding of ``/Reactor/ReactorRequirements/Mutation``, from 1 on.
  ///
  /// Raise it whenever the encoding of a mutation changes, and add a step to ``upgrades``.
  static var journalVersion: Int { get }

  /// The steps that upgrade stored mutations from earlier versions; by default none.
  ///
  /// They run when a journal is read. Stored data is never rewritten.
  static var upgrades: JournalUpgrades { get }

  /// The version of ``/Reactor/ReactorRequirements/State`` in snapshots; by default 1.
  ///
  /// Raise it when the encoding of the state changes, or when `reduce` makes another state from the
  /// same mutations.
  static var snapshotVersion: Int { get }

  /// The steps that upgrade snapshots from earlier versions; by default none.
  ///
  /// Without a step, an older snapshot is skipped, and the state is restored from the mutations.
  static var snapshotUpgrades: JournalUpgrades { get }

  /// The state before the first mutation.
  static var initialState: State { get }

  /// Folds one mutation into the state, and does nothing else.
  ///
  /// - Parameters:
  ///   - state: The state, edited in place.
  ///   - mutation: The change to make.
  static func reduce(state: inout State, mutation: Mutation)

  /// Whether a mutation is transient, such as `setLoading(true)`; by default none is.
  ///
  /// A transient mutation is reduced and visible, but not stored. After a recovery it is not in the
  /// state.
  ///
  /// **Runs on** the reactor.
  static func isTransient(_ mutation: Mutation) -> Bool

  /// Called once, after the state has been restored and before the first action.
  ///
  /// A replay runs no effects, so work that was unfinished when the process ended does not resume
  /// by itself. Read the state here, and `send` again what is unfinished.
  ///
  /// **Runs on** the reactor.
  func recovered()
}

extension JournaledReactor {
  /// No upgrades.
  public static var upgrades: JournalUpgrades { [:] }
  /// Version 1.
  public static var snapshotVersion: Int { 1 }
  /// No upgrades.
  public static var snapshotUpgrades: JournalUpgrades { [:] }
  /// Every mutation is stored.
  ///
  /// - Parameter mutation: The mutation.
  /// - Returns: False.
  public static func isTransient(_ mutation: Mutation) -> Bool { false }
  /// Does nothing.
  public func recovered() {}

  /// The static initial state.
  ///
  /// It has another name, so that it does not satisfy the requirement of
  /// ``_JournaledMemberChecks``.
  @_implements(ReactorRequirements,initialState)
  public var _staticInitialState: State { Self.initialState }

  /// Calls the static `reduce`.
  ///
  /// - Parameters:
  ///   - state: The state, edited in place.
  ///   - mutation: The change to make.
  @_implements(ReactorRequirements,reduce(state:mutation:))
  public func _staticReduce(state: inout State, mutation: Mutation) {
    Self.reduce(state: &state, mutation: mutation)
  }
}
