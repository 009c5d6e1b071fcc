import Foundation
import Reactor
import ReactorJournal

/// What is kept of these is the same: they are one reactor as its author changes it.
protocol Shelf: JournaledReactor where Action == Mutation, State == [String] {}
extension Shelf {
  static var journalName: String { "books" }
  static var initialState: [String] { [] }
}

actor BookReactor: Reactor, JournaledReactor, Shelf {
  enum Mutation: Codable, Sendable { case added(title: String), removed(id: Int) }
  typealias Action = Mutation
  typealias State = [String]
  static let samples: [Mutation] = [.added(title: "Emma"), .removed(id: 1)]
  static let journalVersion = 1
  let pipeline = Pipeline()
  static func reduce(state: inout [String], mutation: Mutation) {
    if case .added(let title) = mutation { state.append(title) }
  }
}

actor RenamedReactor: Reactor, JournaledReactor, Shelf {
  enum Mutation: Codable, Sendable { case added(name: String), removed(id: Int) }
  typealias Action = Mutation
  typealias State = [String]
  static let journalVersion = 1
  let pipeline = Pipeline()
  static func reduce(state: inout [String], mutation: Mutation) {}
}

actor WiderReactor: Reactor, JournaledReactor, Shelf {
  enum Mutation: Codable, Sendable { case added(title: String, year: Int?), removed(id: Int) }
  typealias Action = Mutation
  typealias State = [String]
  static let journalVersion = 1
  let pipeline = Pipeline()
  static func reduce(state: inout [String], mutation: Mutation) {
    if case .added(let title, _) = mutation { state.append(title) }
  }
}

actor UpgradedReactor: Reactor, JournaledReactor, Shelf {
  enum Mutation: Codable, Sendable { case added(name: String), removed(id: Int) }
  typealias Action = Mutation
  typealias State = [String]
  static let samples: [Mutation] = [.added(name: "Emma"), .removed(id: 1)]
  static let journalVersion = 2
  static let upgrades: JournalUpgrades = [
    1: .json { mutation in
      guard let added = mutation["added"] as? [String: Any] else { return }
      mutation["added"] = ["name": added["title"]]
    }
  ]
  let pipeline = Pipeline()
  static func reduce(state: inout [String], mutation: Mutation) {
    if case .added(let title) = mutation { state.append(title) }
  }
}

actor MissingUpgradeReactor: Reactor, JournaledReactor, Shelf {
  enum Mutation: Codable, Sendable { case added(name: String), removed(id: Int) }
  typealias Action = Mutation
  typealias State = [String]
  static let samples: [Mutation] = [.added(name: "Emma"), .removed(id: 1)]
  static let journalVersion = 2
  let pipeline = Pipeline()
  static func reduce(state: inout [String], mutation: Mutation) {}
}

actor UppercasingReactor: Reactor, JournaledReactor, Shelf {
  enum Mutation: Codable, Sendable { case added(title: String), removed(id: Int) }
  typealias Action = Mutation
  typealias State = [String]
  static let samples: [Mutation] = [.added(title: "Emma"), .removed(id: 1)]
  static let journalVersion = 1
  let pipeline = Pipeline()
  static func reduce(state: inout [String], mutation: Mutation) {
    if case .added(let title) = mutation { state.append(title.uppercased()) }
  }
}

actor UppercasingUpgradedReactor: Reactor, JournaledReactor, Shelf {
  typealias Mutation = UpgradedReactor.Mutation
  typealias Action = Mutation
  typealias State = [String]
  static let samples = UpgradedReactor.samples
  static let journalVersion = 2
  static let upgrades = UpgradedReactor.upgrades
  let pipeline = Pipeline()
  static func reduce(state: inout [String], mutation: Mutation) {
    if case .added(let title) = mutation { state.append(title.uppercased()) }
  }
}

actor CapitalReactor: Reactor, JournaledReactor, Shelf {
  typealias Mutation = UppercasingReactor.Mutation
  typealias Action = Mutation
  typealias State = [String]
  static let samples = UppercasingReactor.samples
  static let journalVersion = 1
  static let snapshotVersion = 2
  static let snapshotUpgrades: JournalUpgrades = [
    1: .data { old in
      let books = try JSONDecoder().decode([String].self, from: old)
      return try JSONEncoder().encode(books.map { $0.uppercased() })
    }
  ]
  let pipeline = Pipeline()
  static func reduce(state: inout [String], mutation: Mutation) {
    UppercasingReactor.reduce(state: &state, mutation: mutation)
  }
}

actor MissingSnapshotUpgradeReactor: Reactor, JournaledReactor, Shelf {
  typealias Mutation = UppercasingReactor.Mutation
  typealias Action = Mutation
  typealias State = [String]
  static let samples = UppercasingReactor.samples
  static let journalVersion = 1
  static let snapshotVersion = 2
  let pipeline = Pipeline()
  static func reduce(state: inout [String], mutation: Mutation) {
    UppercasingReactor.reduce(state: &state, mutation: mutation)
  }
}

actor CountingReactor: Reactor, JournaledReactor {
  enum Mutation: Codable, Sendable { case added(title: String), removed(id: Int) }
  typealias Action = Mutation
  typealias State = Int
  static let samples: [Mutation] = [.added(title: "Emma"), .removed(id: 1)]
  static let journalName = "books"
  static let journalVersion = 1
  static let initialState = 0
  let pipeline = Pipeline()
  static func reduce(state: inout Int, mutation: Mutation) {}
}

actor DatedReactor: Reactor, JournaledReactor, Shelf {
  enum Mutation: Codable, Sendable { case added(title: String, age: Int?), removed(id: Int) }
  typealias Action = Mutation
  typealias State = [String]
  static let journalVersion = 1
  let pipeline = Pipeline()
  static func reduce(state: inout [String], mutation: Mutation) {
    if case .added(let title, _) = mutation { state.append(title) }
  }
}

actor PageReactor: Reactor, JournaledReactor {
  struct Page: Codable, Sendable {
    var number: Int
    var note: String?
  }
  struct State: Codable, Sendable { var pages: [Page] = [] }
  enum Mutation: Codable, Sendable { case turned }
  typealias Action = Mutation
  static let journalName = "pages"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()
  static func reduce(state: inout State, mutation: Mutation) {}
}

actor MarkedReactor: Reactor, JournaledReactor {
  struct Page: Codable, Sendable {
    var number: Int
    var note: String?
    var mark: [String]?
  }
  struct State: Codable, Sendable { var pages: [Page] = [] }
  enum Mutation: Codable, Sendable { case turned }
  typealias Action = Mutation
  static let journalName = "pages"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()
  static func reduce(state: inout State, mutation: Mutation) {}
}
