import Reactor
import ReactorJournal
import TestSupport

/// One reactor as its author changes it: what is kept of these has one name.
protocol ShelfVersion: JournaledReactor where Action == String, Mutation == String {}
extension ShelfVersion {
  static var journalName: String { "shelf" }
  static var journalVersion: Int { 1 }
}

actor ShelfVersion1: Reactor, JournaledReactor, ShelfVersion {
  struct State: Codable, Sendable, Equatable { var books: [String] = [] }
  typealias Action = String
  static let initialState = State()
  let pipeline = Pipeline()

  static func reduce(state: inout State, mutation: String) { state.books.append(mutation) }
}

/// Its state has one field more, and it says so.
actor ShelfVersion2: Reactor, JournaledReactor, ShelfVersion {
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
actor ShelfWithoutUpgrade: Reactor, JournaledReactor, ShelfVersion {
  typealias Action = String
  typealias State = ShelfVersion2.State
  static let snapshotVersion = 2
  static let initialState = State()
  let pipeline = Pipeline()
  nonisolated let reports = Log<String>()

  static func reduce(state: inout State, mutation: String) {
    ShelfVersion2.reduce(state: &state, mutation: mutation)
  }

  nonisolated func report(_ report: ReactorReport) { reports.append(report.description) }
}

/// Its `reduce` makes something else, and no version says so.
actor UppercasingShelf: Reactor, JournaledReactor, ShelfVersion {
  typealias Action = String
  typealias State = ShelfVersion1.State
  static let initialState = State()
  let pipeline = Pipeline()

  static func reduce(state: inout State, mutation: String) {
    state.books.append(mutation.uppercased())
  }
}
