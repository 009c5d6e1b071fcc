import Foundation
import Reactor
import ReactorJournal
import TestSupport

/// A small journaled reactor: numbers in a list.
actor CartReactor: Reactor, JournaledReactor {
  enum Action: Sendable {
    case add(Int)
    /// Several mutations at once.
    case addAll([Int])
    case setLoading(Bool)
    case say(String)
    /// Adds, and waits until that is kept, before it goes on.
    case pay(Int, paid: Gate)
    case count(Reply<Int>)
    /// Answers once the gate is open.
    case countAfter(Gate, Reply<Int>)
    case addUnencodable
    case wait(Gate)
    /// Puts out how many there are.
    case announce
    /// Several mutations at once, whatever they are.
    case emit([Mutation])
    case fail
    /// Adds, and has another one add.
    case pass(Int, to: CartReactor)
  }

  enum Mutation: Codable, Sendable, Equatable {
    case added(Int)
    case loading(Bool)
    case unencodable(Double)
  }

  struct State: Codable, Sendable, Equatable {
    var items: [Int] = []
    var isLoading = false
  }

  typealias Output = String

  static let journalName = "cart"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()
  let reports: Log<String>?
  let problems: ReportLog?

  init(_ reports: Log<String>? = nil, problems: ReportLog? = nil) {
    (self.reports, self.problems) = (reports, problems)
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let item): return .just(.added(item))
    case .addAll(let items): return .of(items.map { .added($0) })
    case .setLoading(let isLoading): return .just(.loading(isLoading))
    case .say(let words):
      output(words)
      return .empty
    case .pay(let item, let paid):
      return .run { emit in
        await emit(.added(item))
        try await emit.durable()
        paid.open()
      }
    case .count(let reply):
      reply(currentState.items.count)
      return .empty
    case .countAfter(let gate, let reply):
      return .run { [self] _ in
        try await gate.wait()
        reply(currentState.items.count)
      }
    case .addUnencodable: return .just(.unencodable(.infinity))
    case .wait(let gate): return .run { _ in try await gate.wait() }
    case .announce:
      output("\(currentState.items.count)")
      return .empty
    case .emit(let mutations): return .of(mutations)
    case .fail: return .run { _ in throw Failure() }
    case .pass(let item, let other):
      other.send(.add(item))
      return .just(.added(item))
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .added(let item): state.items.append(item)
    case .loading(let isLoading): state.isLoading = isLoading
    case .unencodable: break
    }
  }

  static func isTransient(_ mutation: Mutation) -> Bool {
    if case .loading = mutation { true } else { false }
  }

  nonisolated func report(_ report: ReactorReport) {
    problems?.append(report)
    if let reports { reports.append(report.description) }
    if reports == nil, problems == nil { ReactorReports.deliver(report) }
  }
}

extension JournalStore {
  /// Keeps a snapshot of a cart to which a number was added by each entry, as it is then.
  func saveSnapshot(at sequence: Int, of key: JournalKey) async throws {
    let claim = try await take(key)
    let state = CartReactor.State(items: Array(1...sequence))
    let snapshot = JournalSnapshot(
      sequence: sequence, version: 1, payload: try JSONJournalCodec().encode(state))
    try await save(snapshot, of: key, epoch: claim.epoch)
    await release(key, epoch: claim.epoch)
  }
}
