package import Reactor
import ReactorJournal

/// Counts by three mutations for each action, which are stored all or none.
///
/// The state says whether it has ever been given a mutation that was not the next one, or that was
/// another reactor's.
package actor TripleReactor: Reactor, JournaledReactor {
  /// A number, and the reactor that counts it.
  package struct Counted: Codable, Sendable, Equatable {
    let reactor: Int
    let number: Int
  }

  package struct State: Codable, Sendable, Equatable {
    /// The reactor whose mutations they are; `nil` if there are none.
    package var reactor: Int?
    package var count = 0
    package var isBroken = false
  }

  /// The number of the reactor.
  package typealias Action = Int
  package typealias Mutation = Counted

  package static let journalName = "triple"
  package static let journalVersion = 1
  package static let initialState = State()
  package let pipeline = Pipeline()

  package init() {}

  package func mutate(action: Int) -> MutationStream<Counted> {
    let count = currentState.count
    return .of((0..<3).map { Counted(reactor: action, number: count + $0) })
  }

  package static func reduce(state: inout State, mutation: Counted) {
    let reactor = state.reactor ?? mutation.reactor
    if mutation.reactor != reactor || mutation.number != state.count { state.isBroken = true }
    (state.reactor, state.count) = (reactor, state.count + 1)
  }
}
