public import Reactor

/// Makes the compiler reject a `reduce` or an initial state that is written as an instance member.
///
/// A reactor with an instance member beside the static one would run with one and be restored with
/// the other. This protocol therefore requires both members again, with any type. If the author
/// writes one, its type is not ``_NotWritten``, and the compiler's error names the protocol that it
/// does not conform to: ``_ReduceMustBeStatic`` or ``_InitialStateMustBeStatic``.
public protocol _JournaledMemberChecks: Reactor {
  /// What an instance `reduce` returns.
  associatedtype _OwnReduce
  /// The type of an instance `initialState`.
  associatedtype _OwnInitialState

  /// Never called.
  func reduce(state: inout State, mutation: Mutation) async throws -> _OwnReduce

  /// Never called.
  var initialState: _OwnInitialState { get async throws }
}

extension _JournaledMemberChecks {
  /// Never called.
  ///
  /// - Parameters:
  ///   - state: Not changed.
  ///   - mutation: Not read.
  /// - Returns: That the author has written none.
  /// - Throws: Nothing.
  public func reduce(state: inout State, mutation: Mutation) async throws -> _NotWritten {
    .notWritten
  }

  /// Never called.
  public var initialState: _NotWritten { get async throws { .notWritten } }
}

/// Appears in a compiler error that means: write only `static func reduce(state:mutation:)`.
public protocol _ReduceMustBeStatic {}

/// Appears in a compiler error that means: write only `static let initialState`.
public protocol _InitialStateMustBeStatic {}

/// The type of the members that the author has not written.
public enum _NotWritten: _ReduceMustBeStatic, _InitialStateMustBeStatic {
  /// The only value.
  case notWritten
}
