package import Reactor
import ReactorJournal

/// Counts what many senders have sent, each of them in order.
package actor TallyReactor: Reactor, JournaledReactor {
  /// A number of one of the senders.
  package struct Added: Codable, Sendable, Equatable {
    /// The number of its sender.
    package let sender: Int
    /// The number.
    package let number: Int

    /// - Parameters:
    ///   - sender: The number of its sender.
    ///   - number: The number.
    package init(sender: Int, number: Int) { (self.sender, self.number) = (sender, number) }
  }

  package typealias Action = Added
  package typealias State = [Int: [Int]]

  package static let journalName = "tally"
  package static let journalVersion = 1
  package static let initialState: [Int: [Int]] = [:]
  package let pipeline = Pipeline()

  package init() {}

  /// How many numbers there are.
  package static func count(_ state: State) -> Int { state.values.reduce(0) { $0 + $1.count } }

  package static func reduce(state: inout State, mutation: Added) {
    state[mutation.sender, default: []].append(mutation.number)
  }
}
