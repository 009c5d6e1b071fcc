import Dispatch
import NIOCore
import NIOPosix
import Reactor

/// A room that says where it runs.
actor PlacedRoom: Reactor {
  enum Place: Sendable {
    /// On an event loop of the server: where requests are read and written.
    case loop
    /// On the main thread.
    case main
    /// On a queue of its own.
    case own
  }

  enum Action: Sendable { case buy(Int, Reply<Ticket>) }
  typealias Mutation = Int

  nonisolated let initialState = RoomState()
  nonisolated let pipeline = Pipeline()
  nonisolated private let executor: UnownedSerialExecutor
  /// Whoever runs it, held as long as it lives.
  private let held: (any SerialExecutor)?
  private let name: String

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor }

  init(_ name: String, on place: Place) {
    self.name = name
    switch place {
    case .main:
      held = nil
      executor = MainActor.sharedUnownedExecutor
    case .loop:
      let loop = MultiThreadedEventLoopGroup.singleton.next()
      held = loop.executor
      executor = loop.executor.asUnownedSerialExecutor()
    case .own:
      let queue = QueueExecutor(name)
      held = queue
      executor = queue.asUnownedSerialExecutor()
    }
  }

  func mutate(action: Action) -> MutationStream<Int> {
    guard case .buy(let seats, let reply) = action else { return .empty }
    reply(Ticket(room: name, number: currentState.tickets + 1, seats: seats))
    return .just(seats)
  }

  func reduce(state: inout RoomState, mutation: Int) {
    state.booked += mutation
    state.tickets += 1
  }
}

/// A queue of the operating system, for reactors that block their thread.
final class QueueExecutor: SerialExecutor {
  private let queue: DispatchQueue

  init(_ name: String) { queue = DispatchQueue(label: name) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}
