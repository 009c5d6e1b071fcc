public import Reactor

/// A reactor whose mutations are kept, and whose state is made of them again.
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
/// The first state and `reduce` are static, so the compiler sees to it that they use nothing but
/// what they are given: the same mutations make the same state, in another process and years later,
/// without a reactor. Written a second time, as members of the reactor, they do not compile: it
/// would live by the one and be recovered by the other.
///
/// **Opened** by ``Journal/open(_:durability:_:)``. One that was not takes no action, and says so.
///
/// **Order**: as kept, which is as reduced.
public protocol JournaledReactor: _JournaledSpellings
where
  Mutation: Codable, State: Codable, _OwnReduce: _ReduceMustBeStatic,
  _OwnInitialState: _InitialStateMustBeStatic
{
  /// What its journals are found by, together with an identifier: never the name of the type, which
  /// may change.
  static var journalName: String { get }

  /// The version of ``/Reactor/ReactorRequirements/Mutation`` as it is encoded now, from 1 on.
  ///
  /// To be raised whenever the shape of a mutation changes, with an entry in ``upgrades``.
  static var journalVersion: Int { get }

  /// What makes a mutation of the next version of one that was kept under an earlier one.
  ///
  /// Runs when a journal is read; nothing that is kept is ever written anew. By default none.
  static var upgrades: JournalUpgrades { get }

  /// The version of ``/Reactor/ReactorRequirements/State`` in snapshots; by default 1.
  ///
  /// To be raised when the shape of the state changes, or when `reduce` makes something else of the
  /// same mutations.
  static var snapshotVersion: Int { get }

  /// What makes a state of the next version of one that was kept under an earlier one; by default
  /// none, and then an older snapshot is passed by: the state is made of the mutations.
  static var snapshotUpgrades: JournalUpgrades { get }

  /// The state before the first mutation.
  static var initialState: State { get }

  /// Folds one mutation into the state, and does nothing else.
  ///
  /// - Parameters:
  ///   - state: The state, edited in place.
  ///   - mutation: The change to make.
  static func reduce(state: inout State, mutation: Mutation)

  /// Whether a mutation is of the moment, as `setLoading(true)` is: it is reduced and shown, but
  /// not kept, and after a recovery it has not been.
  ///
  /// **Runs on** the reactor. By default, every mutation is kept.
  static func isTransient(_ mutation: Mutation) -> Bool

  /// Called once, when the state has been made of what was kept, and before the first action.
  ///
  /// **Runs on** the reactor: the place to look at the state, and to `send` again what was open
  /// when the process died. Replaying runs no effects, so nothing does that by itself.
  func recovered()
}

extension JournaledReactor {
  /// None.
  public static var upgrades: JournalUpgrades { [:] }
  /// The first.
  public static var snapshotVersion: Int { 1 }
  /// None.
  public static var snapshotUpgrades: JournalUpgrades { [:] }
  /// Every mutation is kept.
  ///
  /// - Parameter mutation: The mutation.
  /// - Returns: False.
  public static func isTransient(_ mutation: Mutation) -> Bool { false }
  /// Does nothing.
  public func recovered() {}

  /// The static one's.
  ///
  /// Under another name, so that it is not what ``_JournaledSpellings`` is answered by.
  @_implements(ReactorRequirements,initialState)
  public var _staticInitialState: State { Self.initialState }

  /// The static one's.
  ///
  /// - Parameters:
  ///   - state: The state, edited in place.
  ///   - mutation: The change to make.
  @_implements(ReactorRequirements,reduce(state:mutation:))
  public func _staticReduce(state: inout State, mutation: Mutation) {
    Self.reduce(state: &state, mutation: mutation)
  }
}
