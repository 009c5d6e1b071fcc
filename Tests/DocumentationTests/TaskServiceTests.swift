import Reactor
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

// The service of the page Observing state, copied by hand, and a screen that listens to it.

private enum TaskEvent { case added(Int), removed(Int) }

private final class TaskService: Sendable {
  let events = EventBroadcaster<TaskEvent>()
  private let tasks = Guarded<Set<Int>>([])

  var all: Set<Int> { tasks.withLock { $0 } }

  func add(_ task: Int) {
    tasks.withLock { $0.formUnion([task]) }
    events.send(.added(task))
  }

  func remove(_ task: Int) {
    tasks.withLock { $0.subtract([task]) }
    events.send(.removed(task))
  }
}

/// Reads the whole in answer to an action.
private actor TasksReactor: MutationTransforming {
  enum Action { case load }
  enum Mutation { case loaded(Set<Int>), apply(TaskEvent) }
  struct State {
    var tasks: Set<Int> = []
    /// What is not there any more, though the whole may still have it.
    var removed: Set<Int> = []
  }

  let initialState = State()
  let pipeline = Pipeline()
  private let (service, hasRead): (TaskService, Gate)

  init(_ service: TaskService, hasRead: Gate) {
    (self.service, self.hasRead) = (service, hasRead)
  }

  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    mutation.merging(service.events.stream().map { Mutation.apply($0) })
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    .run { emit in
      let all = self.service.all
      try await self.hasRead.wait()
      await emit(.loaded(all))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .loaded(let all): state.tasks.formUnion(all.subtracting(state.removed))
    case .apply(.added(let task)): state.tasks.insert(task)
    case .apply(.removed(let task)):
      state.tasks.remove(task)
      state.removed.insert(task)
    }
  }
}

@Suite(.bounded) struct TaskServiceTests {
  private let service = TaskService()

  @Test func `a change while a screen reads the whole list is on the screen`() async {
    for task in 1...2 { service.add(task) }
    let hasRead = Gate()
    let screen = TasksReactor(service, hasRead: hasRead)
    let loading = screen.send(.load)
    await hasRead.reached()
    service.add(3)
    service.remove(1)
    hasRead.open()
    await loading.settled
    _ = await screen.state.first { $0.tasks == [2, 3] }
  }

  @Test func `so it is in any order`() async throws {
    try await simulate(seeds: TestCounts.seeds(upTo: 200)) { simulation in
      let (service, hasRead) = (TaskService(), Gate())
      for task in 1...3 { service.add(task) }
      hasRead.open()
      let screen = TasksReactor(service, hasRead: hasRead)
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await screen.send(.load).settled }
        for task in 4...6 { group.addTask { service.add(task) } }
        group.addTask { service.remove(2) }
      }
      await simulation.settle()
      #expect(await screen.currentState.tasks == [1, 3, 4, 5, 6])
    }
  }
}
