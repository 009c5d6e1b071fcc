import Reactor
import TestSupport

struct TimedOut: Error {}

/// The reactor of the pages Effects and Lanes, with their samples copied by hand.
actor NotesReactor: LanedReactor {
  enum Action: Equatable {
    case search(String), lookUp(String), clear
    case save(String), rename(String), saveAndRename(String), toggle(String)
    case delete(String), confirm, dismiss
    case refresh, askAround, open, add(Int), write(String)
  }
  enum Mutation { case setLoading(Bool), setResults([String]), ask(String?), remove(String) }
  struct State: Equatable {
    var isLoading = false
    var results: [String] = []
    var question: String?
    var removed: [String] = []
  }

  let initialState = State()
  let pipeline = Pipeline(inboxLimit: 1000, suspendsSenders: true)
  let service = HeldService()
  let reports = ReportLog()
  /// The reports that are not routine.
  let logger = Log<String>()
  let clock: any Clock<Duration>

  init(clock: any Clock<Duration>) { self.clock = clock }

  func lane(for action: Action) -> Lane? {
    switch action {
    case .search: .latest("search").debounced(for: .milliseconds(300), clock: clock)
    case .save, .rename, .saveAndRename: .sequential("disk")
    case .toggle(let id): .leading(id)
    case .write: .sequential("log", waitingLimit: 2)
    case .lookUp: .latest("lookup")
    default: nil
    }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .search(let text), .save(let text), .rename(let text), .toggle(let text),
      .write(let text):
      return .run { emit in
        await emit(.setResults([try await service.get(text)]))
      }
    case .lookUp(let text):  // in the lane .latest("lookup")
      return .run { emit in
        try await clock.sleep(for: .milliseconds(300))
        await emit(.setResults([try await service.get(text)]))
      }
    case .clear:
      cancel(lane: "search")
      return .of(.setLoading(false), .setResults([]))
    case .saveAndRename(let name):
      return .run { emit in
        await emit(.setResults(["saved"]))
        await send(.rename(name)).settled
        await emit(.setResults(["renamed"]))
      }
    case .delete(let name):
      return .run { emit in
        let answers = actions { $0 == .confirm || $0 == .dismiss }
        await emit(.ask(name))
        let answer = await answers.next(within: .seconds(30), clock: clock)
        await emit(.ask(nil))
        guard answer == .confirm else { return }
        await emit(.remove(try await service.get(name)))
      }
    case .refresh:
      return .run { emit in
        let items = try await retry(3, delay: .exponential(from: .seconds(1)), clock: clock) {
          try await service.get("items")
        }
        await emit(.setResults([items]))
      }
    case .askAround:
      return .run { emit in
        let answer = try await race {
          try await service.get("answer")
        } or: {
          try await clock.sleep(for: .seconds(5))
          throw TimedOut()
        }
        await emit(.setResults([answer]))
      }
    case .open: return .run { _ in send(.save("a")) }
    case .add(let number): return .just(.setResults(["\(number)"]))
    case .confirm, .dismiss: return .empty
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setResults(let results): state.results = results
    case .ask(let question): state.question = question
    case .remove(let name): state.removed.append(name)
    }
  }

  nonisolated func report(_ report: ReactorReport) {
    reports.append(report)
    if !report.isRoutine { logger.append("\(report)") }
  }

  /// Runs without a pause on the reactor, which takes no action meanwhile.
  func turn<Result: Sendable>(
    _ body: @Sendable (isolated NotesReactor) -> Result
  ) -> Result { body(self) }
}
