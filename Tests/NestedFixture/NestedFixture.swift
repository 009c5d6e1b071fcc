import Reactor
import ReactorRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// Nests streams so deeply that releasing one within the other would overflow any stack: for a
/// release build, where the optimizer decides when a value is released.
///
/// The reactor runs on a stack of 256 KiB, as in `NestedStreamTests`.
@main
struct NestedFixture {
  static func main() async {
    for kind in Nesting.allCases {
      let reactor = DeepReactor(kind)
      await reactor.send(.run(kind.levels)).settled
      let sum = await reactor.currentState
      precondition(sum == 1, "\(kind): \(sum)")

      let receipt = reactor.send(.wait(kind.levels))
      for await _ in reactor.arrivals.stream { break }
      await reactor.cancelHere(receipt)
      let outcome = await receipt.outcome
      guard case .cancelled = outcome else { preconditionFailure("\(kind): \(outcome)") }
    }
  }
}

private enum Nesting: CaseIterable {
  case concat, map, onEnd, named, priority, cancelledByDrain
  /// All before this in turn.
  case inTurn
  case around, mergeOnTheLeft, mergeOnTheRight

  /// How many are run to their end, and how many are cancelled.
  ///
  /// With a million levels, some kinds would take too long or too much memory: a merged level is an
  /// effect of its own, and one with something around it is called by what is around it. With the
  /// fewer ones, a frame of 3 bytes for each level would overflow the stack.
  var levels: Int {
    switch self {
    case .concat, .map, .onEnd, .named, .priority, .cancelledByDrain, .inTurn: 1_000_000
    case .around, .mergeOnTheLeft, .mergeOnTheRight: 100_000
    }
  }

  func stream(around core: MutationStream<Int>, levels: Int) -> MutationStream<Int> {
    let nothing = MutationStream<Int>.run { _ in }
    return (0..<levels).reduce(core) { inner, level in
      switch self == .inTurn ? Self.allCases[level % 6] : self {
      case .concat: .concat(inner, nothing)
      case .map: inner.map { $0 }
      case .named: inner.named("one")
      case .priority: inner.priority(.medium)
      case .cancelledByDrain: inner.cancelledByDrain()
      case .around: inner.around { emit, body, _ in try await body(emit) }
      case .mergeOnTheLeft: .merge(inner, nothing)
      case .mergeOnTheRight: .merge(nothing, inner)
      case .onEnd, .inTurn: inner.onEnd { _, _ in }
      }
    }
  }
}

private actor DeepReactor: Reactor {
  enum Action {
    case run(Int)
    /// Its innermost effect ends when it is cancelled, and says before that it has begun.
    case wait(Int)
  }
  typealias Mutation = Int

  nonisolated let initialState = 0
  nonisolated let pipeline = Pipeline()
  nonisolated let arrivals = AsyncStream.makeStream(of: Void.self)
  private nonisolated let executor = SmallStackExecutor(stack: 256 * 1024)
  private let kind: Nesting

  init(_ kind: Nesting) { self.kind = kind }

  deinit { executor.stop() }

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .run(let levels):
      kind.stream(around: .run { emit in await emit(1) }, levels: levels)
    case .wait(let levels):
      kind.stream(
        around: .run { _ in
          self.assertIsolated()
          self.arrivals.continuation.yield()
          // Nothing but cancelling ends it.
          try await Task.sleep(for: .seconds(86_400))
        }, levels: levels)
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  /// Cancels on the small stack.
  func cancelHere(_ receipt: ActionReceipt<DeepReactor>) { receipt.cancel() }
}

/// An executor with a thread of its own, whose stack is as large as is asked for.
///
/// As that of `TestSupport`, which depends on Testing; this program does not.
///
/// Holds: `jobs`, guarded by its own lock.
private final class SmallStackExecutor: SerialExecutor {
  private let jobs = Guarded((waiting: [UnownedJob](), isOver: false))
  private let wakeUp = SemaphoreBox()

  init(stack bytes: Int) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    // Nothing waits for its end.
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let isSet = pthread_attr_setstacksize(&attributes, bytes)
    precondition(isSet == 0, "no stack of \(bytes) bytes: \(isSet)")
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { raw in
      guard let raw else { return nil }
      Unmanaged<SmallStackExecutor>.fromOpaque(raw).takeRetainedValue().run()
      return nil
    }
    #if canImport(Darwin)
      pthread_create(&thread, &attributes, { run($0) }, Unmanaged.passRetained(self).toOpaque())
    #else
      pthread_create(&thread, &attributes, run, Unmanaged.passRetained(self).toOpaque())
    #endif
    pthread_attr_destroy(&attributes)
  }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.waiting.append(job) }
    wakeUp.signal()
  }

  func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// The thread ends when nothing waits.
  func stop() {
    jobs.withLock { $0.isOver = true }
    wakeUp.signal()
  }

  private func run() {
    while true {
      wakeUp.wait()
      let (job, isOver) = jobs.withLock { jobs in
        (jobs.waiting.isEmpty ? nil : jobs.waiting.removeFirst(), jobs.isOver)
      }
      if let job {
        job.runSynchronously(on: asUnownedSerialExecutor())
      } else if isOver {
        return
      }
    }
  }
}

/// Counts the permits of waiting threads.
///
/// Guard of what it points to: the system's, a semaphore being made for many threads.
private final class SemaphoreBox: Sendable {
  private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func signal() { sem_post(semaphore) }

  func wait() { while sem_wait(semaphore) != 0 {} }
}
