public import Reactor

/// What must not be written a second time; of no other use.
///
/// A reactor with a `reduce` or a first state of its own, beside the static one, would live by the
/// one and be recovered by the other. So both are asked for here once more, whatever they return:
/// written, they return something else than ``_NotWritten``, and the compiler says the name of the
/// protocol that this should have been.
public protocol _JournaledSpellings: Reactor {
  /// What a `reduce` of the reactor's own returns.
  associatedtype _OwnReduce
  /// What a first state of the reactor's own is.
  associatedtype _OwnInitialState

  /// Never called.
  func reduce(state: inout State, mutation: Mutation) async throws -> _OwnReduce

  /// Never called.
  var initialState: _OwnInitialState { get async throws }
}

extension _JournaledSpellings {
  /// Never called.
  ///
  /// - Parameters:
  ///   - state: Left alone.
  ///   - mutation: Left alone.
  /// - Returns: That there is none.
  /// - Throws: Nothing.
  public func reduce(state: inout State, mutation: Mutation) async throws -> _NotWritten {
    .notWritten
  }

  /// Never called.
  public var initialState: _NotWritten { get async throws { .notWritten } }
}

/// Says in the compiler's words: write `static func reduce(state:mutation:)` alone.
public protocol _ReduceMustBeStatic {}

/// Says in the compiler's words: write `static let initialState` alone.
public protocol _InitialStateMustBeStatic {}

/// What is there where the author has written nothing.
public enum _NotWritten: _ReduceMustBeStatic, _InitialStateMustBeStatic {
  /// That.
  case notWritten
}
