import Reactor
import ReactorObservation
import ReactorTesting
import TestLimits
import TestSupport
import Testing

// The samples of the page Coming from ReactorKit that no other page has, copied by hand.

@Suite(.bounded) struct ComingFromReactorKitTests {
  typealias CounterReactor = TestingPageCounterTests.CounterReactor

  // MARK: Effects that an action ends

  actor StopwatchReactor: LanedReactor {
    enum Action { case start, stop }
    enum Mutation { case tick }

    let initialState = 0
    let pipeline = Pipeline()
    let clock: any Clock<Duration>

    init(clock: any Clock<Duration> = ContinuousClock()) { self.clock = clock }

    func lane(for action: Action) -> Lane? {
      switch action {
      case .start: .latest("ticks")
      case .stop: nil
      }
    }

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .start:
        return .run { emit in
          while true {
            try await clock.sleep(for: .seconds(1))
            await emit(.tick)
          }
        }
      case .stop:
        cancel(lane: "ticks")
        return .empty
      }
    }

    func reduce(state: inout Int, mutation: Mutation) {
      switch mutation {
      case .tick: state += 1
      }
    }
  }

  @Test func `a stopwatch is stopped, and goes on from there`() async throws {
    try await simulate { simulation in
      let stopwatch = StopwatchReactor(clock: simulation.clock)
      stopwatch.send(.start)
      await simulation.advance(by: .seconds(4))
      stopwatch.send(.stop)
      await simulation.advance(by: .seconds(9))
      #expect(await stopwatch.currentState == 4)

      stopwatch.send(.start)
      await simulation.advance(by: .seconds(3))
      #expect(await stopwatch.currentState == 7)
      await stopwatch.stop().settled
    }
  }

  // MARK: A service, and the screens that show what it has

  enum TaskEvent { case added(String) }

  actor TaskService {
    nonisolated let events = EventBroadcaster<TaskEvent>()
    var titles: [String] = []

    func add(_ title: String) {
      titles.append(title)
      events.send(.added(title))
    }
  }

  actor TaskListReactor: MutationTransforming {
    enum Action { case refresh, add(String) }
    enum Mutation { case setTitles([String]), apply(TaskEvent) }
    struct State { var titles: [String] = [] }

    let initialState = State()
    let pipeline = Pipeline(first: .refresh)
    let service: TaskService

    init(service: TaskService) { self.service = service }

    func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
      mutation.merging(service.events.stream().map { Mutation.apply($0) })
    }

    func mutate(action: Action) -> MutationStream<Mutation> {
      switch action {
      case .refresh: .run { [service] emit in await emit(.setTitles(await service.titles)) }
      case .add(let title): .run { [service] _ in await service.add(title) }
      }
    }

    func reduce(state: inout State, mutation: Mutation) {
      switch mutation {
      case .setTitles(let titles):
        state.titles = titles + state.titles.filter { !titles.contains($0) }
      case .apply(.added(let title)):
        if !state.titles.contains(title) { state.titles.append(title) }
      }
    }
  }

  @Test func `what one screen adds is shown on another`() async {
    let service = TaskService()
    let one = TaskListReactor(service: service)
    let other = TaskListReactor(service: service)
    _ = await other.state.first { $0.titles.isEmpty }
    await one.send(.add("milk")).settled
    let shown = await other.state.first { !$0.titles.isEmpty }
    #expect(shown?.titles == ["milk"])
  }

  // MARK: A view, and one that waits until it is loaded

  @MainActor final class CounterViewController: DeferredReactorView {
    let values = Log<Int>()
    let spinner = Log<Bool>()

    let deferredBinding = DeferredBinding<CounterReactor>()
    private(set) var isViewLoaded = false  // in UIKit, that of UIViewController

    func bind(reactor: CounterReactor, subscriptions: ReactorSubscriptions) {
      subscriptions.observe(reactor.state.select(\.value)) { [weak self] in self?.show($0) }
      subscriptions.observe(reactor.state.select(\.isLoading)) { [weak self] in self?.spin($0) }
    }

    func viewDidLoad() {
      isViewLoaded = true
      viewIsReady()
    }

    func increaseTapped() { reactor?.send(.increase) }

    private func show(_ value: Int) { values.append(value) }
    private func spin(_ isLoading: Bool) { spinner.append(isLoading) }
  }

  @Test @MainActor func `a view binds once it is loaded`() async {
    let screen = CounterViewController()
    screen.reactor = CounterReactor(clock: ImmediateClock())
    #expect(screen.values.entries == [])
    screen.viewDidLoad()
    #expect(await screen.values.entries(upTo: 1) == [0])
    #expect(await screen.spinner.entries(upTo: 1) == [false])
    screen.increaseTapped()
    #expect(await screen.values.entries(upTo: 2) == [0, 1])
    #expect(await screen.spinner.entries(upTo: 3) == [false, true, false])
  }

  // MARK: A stub

  @Test @MainActor func `a tap becomes an action, and a state is shown`() async throws {
    let screen = CounterViewController()
    let stub = try await ReactorStub(CounterReactor())
    screen.reactor = stub.reactor
    screen.viewDidLoad()
    #expect(await screen.values.entries(upTo: 1) == [0])

    screen.increaseTapped()
    #expect(await stub.actions(upTo: 1) == [.increase])

    await stub.show(.init(value: 3, isLoading: true))
    #expect(await screen.values.entries(upTo: 2) == [0, 3])
  }
}
