import Reactor
import ReactorJournal
import TestSupport

/// One reactor as its author changes it: what is kept of these has one name.
protocol ShelfOfAnAge: JournaledReactor where Action == String, Mutation == String {}
extension ShelfOfAnAge {
  static var journalName: String { "shelf" }
  static var journalVersion: Int { 1 }
}

actor FirstShelf: Reactor, JournaledReactor, ShelfOfAnAge {
  struct State: Codable, Sendable, Equatable { var books: [String] = [] }
  typealias Action = String
  static let initialState = State()
  let pipeline = Pipeline()

  static func reduce(state: inout State, mutation: String) { state.books.append(mutation) }
}

/// Its state has one field more, and it says so.
actor SecondShelf: Reactor, JournaledReactor, ShelfOfAnAge {
  struct State: Codable, Sendable, Equatable { var books: [String] = [], count = 0 }
  typealias Action = String
  static let snapshotVersion = 2
  static let snapshotUpgrades: JournalUpgrades = [1: .json { $0["count"] = 0 }]
  static let initialState = State()
  let pipeline = Pipeline()
  nonisolated let reports = Log<String>()

  static func reduce(state: inout State, mutation: String) {
    state.books.append(mutation)
    state.count += 1
  }

  nonisolated func report(_ report: ReactorReport) { reports.append(report.description) }
}

/// The same without a step from a state of the first version.
actor SteplessShelf: Reactor, JournaledReactor, ShelfOfAnAge {
  typealias Action = String
  typealias State = SecondShelf.State
  static let snapshotVersion = 2
  static let initialState = State()
  let pipeline = Pipeline()
  nonisolated let reports = Log<String>()

  static func reduce(state: inout State, mutation: String) {
    SecondShelf.reduce(state: &state, mutation: mutation)
  }

  nonisolated func report(_ report: ReactorReport) { reports.append(report.description) }
}

/// Its `reduce` makes something else, and no version says so.
actor ShoutingShelf: Reactor, JournaledReactor, ShelfOfAnAge {
  typealias Action = String
  typealias State = FirstShelf.State
  static let initialState = State()
  let pipeline = Pipeline()

  static func reduce(state: inout State, mutation: String) {
    state.books.append(mutation.uppercased())
  }
}
