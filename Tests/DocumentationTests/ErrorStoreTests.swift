import Reactor
import TestLimits
import TestSupport
import Testing

// The sample of *An error store* on the page Coming from SwiftFlux.

private actor ErrorStore: Reactor {
  enum Action { case failed(String), dismiss }
  let initialState: [String] = []
  let pipeline = Pipeline()

  func reduce(state: inout [String], mutation: Action) {
    switch mutation {
    case .failed(let error): state.append(error)
    case .dismiss: state.removeFirst(min(1, state.count))
    }
  }
}

/// Sends the errors of the reactors that it observes to a store.
private struct ErrorCollector: ReactorObserver {
  let store: ErrorStore
  let needs: ObserverNeeds = [.reports, .sends]

  func observe(_ step: ReactorStep) {
    guard case .report(let report) = step.kind, case .effectFailed(let error) = report.problem
    else { return }
    store.send(.failed(ReportText.text(ofError: error)))
  }
}

private enum ServiceError: Error { case offline, full }

/// Logs in; an effect throws for a wrong password.
private actor LoginStore: Reactor {
  enum Action { case logIn(password: String) }
  typealias Mutation = Bool
  let initialState = false
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Bool> {
    switch action {
    case .logIn(let password):
      .run { emit in
        guard password == "swift" else { throw ServiceError.offline }
        await emit(true)
      }
    }
  }

  func reduce(state: inout Bool, mutation: Bool) { state = mutation }
  nonisolated func report(_ report: ReactorReport) {}
}

private actor UploadStore: Reactor {
  typealias Action = String
  typealias Mutation = String
  let initialState: [String] = []
  let pipeline = Pipeline()

  func mutate(action: String) -> MutationStream<String> {
    .run { emit in
      guard !action.isEmpty else { throw ServiceError.full }
      await emit(action)
    }
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }
  nonisolated func report(_ report: ReactorReport) {}
}

/// Shows an error.
private struct Banner {
  let shown: Log<String?>

  func show(_ error: String?) { shown.append(error) }
}

@Suite(.bounded) struct ErrorStoreTests {
  private let errors = ErrorStore()
  private let login = LoginStore()
  private let uploads = UploadStore()
  private let banner = Banner(shown: Log())

  @Test func `an error store has the errors of all other stores`() async {
    login.addObserver(ErrorCollector(store: errors))
    uploads.addObserver(ErrorCollector(store: errors))
    await login.send(.logIn(password: "")).settled
    await uploads.send("").settled
    await uploads.send("picture").settled
    await login.send(.logIn(password: "swift")).settled
    await errors.send(.dismiss).settled
    #expect(await errors.currentState == ["ServiceError.full"])
    #expect(await uploads.currentState == ["picture"])
    #expect(await login.currentState)
  }

  @Test func `a banner shows the newest error`() async {
    login.addObserver(ErrorCollector(store: errors))
    uploads.addObserver(ErrorCollector(store: errors))
    let sender = Task {
      _ = await banner.shown.entries(upTo: 1)
      await login.send(.logIn(password: "")).settled
      _ = await banner.shown.entries(upTo: 2)
      await uploads.send("").settled
      _ = await banner.shown.entries(upTo: 3)
      await errors.stop().settled
    }
    for await newest in errors.state.select(\.last) { banner.show(newest) }
    await sender.value
    #expect(banner.shown.entries == [nil, "ServiceError.offline", "ServiceError.full"])
  }
}
