import Reactor
import ReactorComposition
import TestSupport

/// A child in the tests: outputs what its action says, and works until its gate opens.
actor LodgerReactor: Reactor {
  enum Action: Sendable {
    case say(String)
    /// Waits at the gate, and then says so; ends early if it is cancelled.
    case work(Gate)
    /// Waits at the gate, whatever happens.
    case cling(Gate)
    case fail
    case take(Set<String>)
  }

  enum Mutation: Sendable {
    case said(String)
    case took(Set<String>)
  }

  struct State: Sendable {
    var said: [String] = []
    var guests: Set<String> = []
  }

  nonisolated let initialState = State()
  nonisolated let pipeline: Pipeline
  let name: String
  nonisolated let guests: ReactorChildren<String, LodgerReactor>
  private let eventLog: EventLog
  private let ballast: [UInt8]

  /// What becomes of all lodgers of a test.
  final class EventLog: Sendable {
    let begun = Log<String>()
    let released = Log<String>()
    let reports = ReportLog()
    /// How many bytes each of them has beside what it needs.
    let ballast: Int

    init(ballast: Int = 0) { self.ballast = ballast }
  }

  typealias Output = String

  init(_ name: String, _ eventLog: EventLog) {
    self.name = name
    self.eventLog = eventLog
    ballast = Array(repeating: 1, count: eventLog.ballast)
    pipeline = Pipeline(named: name)
    guests = pipeline.children(\.guests) { guest, _ in LodgerReactor("\(name)/\(guest)", eventLog) }
    eventLog.begun.append(name)
  }

  deinit { eventLog.released.append(name) }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .say(let line):
      output(line)
      return .just(.said(line))
    case .work(let gate):
      return .run { emit in
        try await gate.wait()
        await emit(.said("done"))
        self.output("done")
      }
    case .cling(let gate): return .run { _ in await gate.pass() }
    case .fail: return .run { _ in throw Failure() }
    case .take(let guests): return .just(.took(guests))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .said(let line): state.said.append(line)
    case .took(let guests): state.guests = guests
    }
  }

  nonisolated func report(_ report: ReactorReport) { eventLog.reports.append(report) }
}

/// A parent in the tests: has lodgers by name, an optional guest, and a screen.
actor HouseReactor: Reactor {
  enum Screen: Sendable, Equatable {
    case login
    case home(String)
  }

  enum Action: Sendable {
    case change([Mutation])
    case work(Gate, then: Mutation)
  }

  enum Mutation: Sendable {
    case lodgers([String])
    case guest(String?)
    case screen(Screen)
    case heard(String)
  }

  struct State: Sendable {
    var lodgers: [String] = []
    var guest: String?
    var screen = Screen.login
    var heard: [String] = []
  }

  nonisolated let initialState: State
  nonisolated let pipeline = Pipeline()
  nonisolated let eventLog: LodgerReactor.EventLog
  nonisolated let lodgers: ReactorChildren<String, LodgerReactor>
  nonisolated let guest: ReactorChild<LodgerReactor>
  nonisolated let login: ReactorChild<ScriptedReactor>
  nonisolated let home: ReactorChild<LodgerReactor>
  /// Opens when the reactor is released.
  nonisolated let released = Gate()

  init(_ eventLog: LodgerReactor.EventLog, lodgers names: [String] = [], ending: StopMode = .cancel)
  {
    self.eventLog = eventLog
    initialState = State(lodgers: names)
    lodgers = pipeline.children(\.lodgers, ending: ending) { name, _ in
      LodgerReactor(name, eventLog)
    } output: { name, line in
      line == "hush" ? nil : .heard("\(name): \(line)")
    }
    guest = pipeline.child(\.guest) { name, _ in
      LodgerReactor(name, eventLog)
    } output: { line in
      .heard("guest: \(line)")
    }
    login = pipeline.child {
      $0.screen == .login ? true : nil
    } make: { _, _ in
      ScriptedReactor()
    }
    home = pipeline.child { state in
      if case .home(let user) = state.screen { user } else { nil }
    } make: { user, _ in
      LodgerReactor(user, eventLog)
    }
  }

  deinit { released.open() }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .change(let mutations): .of(mutations)
    case .work(let gate, let mutation):
      .run { [self] emit in
        try await gate.wait()
        await emit(mutation)
        withExtendedLifetime(self) {}
      }
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .lodgers(let names): state.lodgers = names
    case .guest(let name): state.guest = name
    case .screen(let screen): state.screen = screen
    case .heard(let line): state.heard.append(line)
    }
  }
}

extension HouseReactor {
  /// Changes the state, and returns when that is done.
  nonisolated func change(_ mutations: Mutation...) async {
    await send(.change(mutations)).settled
  }

  /// Waits until so much has been heard.
  nonisolated func heard(_ count: Int) async -> [String] {
    await state.first { $0.heard.count >= count }?.heard ?? []
  }
}
