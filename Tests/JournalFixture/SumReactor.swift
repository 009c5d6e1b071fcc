package import Reactor
import ReactorJournal

/// Adds up what it is sent: its state is as small after a million as after one.
package actor SumReactor: Reactor, JournaledReactor {
  package typealias Action = Int
  package typealias State = Int

  package static let journalName = "sum"
  package static let journalVersion = 1
  package static let initialState = 0
  package let pipeline = Pipeline()

  package init() {}

  package static func reduce(state: inout Int, mutation: Int) { state += mutation }
}
