public import Logging
public import Reactor
import ReactorRuntime
public import ServiceLifecycle

/// Runs reactors in a service group until the group ends, and then drains them within a time limit.
///
/// ```swift
/// let reactors = ReactorService(rooms, sessions, drain: .seconds(5))
/// try await ServiceGroup(
///   services: [database, reactors, app], gracefulShutdownSignals: [.sigterm], logger: logger
/// ).run()
/// ```
///
/// **Runs on** any thread.
///
/// **Order**: a service group ends its services one by one, from the last to the first. So put what
/// the reactors need, such as a database, before this service. Put what needs the reactors, such as
/// a server, after it. The parts are drained in the same order, so each part may ask those before
/// it until its own work is done.
///
/// **Draining**: nothing more is accepted, and accepted work runs to its end. Work that has not
/// ended when the time is over is cancelled, logged by reactor and action, and listed in
/// ``abandoned``.
///
/// **Cancellation**: if the group is cancelled, because another service threw, this service drains
/// in the same way and for the same time. If the group is cancelled while this service drains,
/// because its own time limit is over, the rest is cancelled at once.
///
/// **The time** is measured from the moment at which the shutdown is known. That is when the group
/// ends this service, or earlier, when a server calls ``shutdownHasBegun()``. Otherwise a request
/// that waits for an effect would delay the server, and the server would delay this service.
///
/// Holds: `state`, guarded by its own lock.
public final class ReactorService: Service, CustomStringConvertible {
  /// The phases of the service.
  public enum Phase: Sendable, Hashable {
    /// The service has not been started.
    case waiting
    /// The reactors can be used.
    case running
    /// The group is ending, and accepted work runs to its end.
    case draining
    /// The service has ended.
    case ended
  }

  struct State: Sendable {
    var machine = DrainMachine()
    var abandoned: [AbandonedWork] = []
    /// Whether running work is no longer waited for.
    var hasTimedOut = false
    /// Called when the time is over.
    var timeoutHandlers: [@Sendable () -> Void] = []
    /// Receives events while the service runs.
    var events: AsyncStream<DrainMachine.Event>.Continuation?
  }

  let state = Guarded(State())
  let parts: [any Drainable]
  let drain: Duration
  let clock: any Clock<Duration>
  let logger: Logger

  /// Creates a service for reactors.
  ///
  /// - Parameters:
  ///   - parts: Reactors, groups and registries; put a part that uses another one after it.
  ///   - drain: How long accepted work may run after the shutdown has begun.
  ///   - clock: The clock that measures this time.
  ///   - logger: Logs the work that was abandoned.
  public convenience init(
    _ parts: any Drainable..., drain: Duration = .seconds(5),
    clock: any Clock<Duration> = ContinuousClock(),
    logger: Logger = Logger(label: "ReactorService")
  ) {
    self.init(parts, drain: drain, clock: clock, logger: logger)
  }

  /// Creates a service for a list of reactors.
  ///
  /// - Parameters:
  ///   - parts: Reactors, groups and registries; put a part that uses another one after it.
  ///   - drain: How long accepted work may run after the shutdown has begun.
  ///   - clock: The clock that measures this time.
  ///   - logger: Logs the work that was abandoned.
  public init(
    _ parts: [any Drainable], drain: Duration = .seconds(5),
    clock: any Clock<Duration> = ContinuousClock(),
    logger: Logger = Logger(label: "ReactorService")
  ) {
    self.parts = parts
    self.drain = drain
    self.clock = clock
    self.logger = logger
  }

  /// The current phase, for example for a readiness route.
  ///
  /// **Runs on** any thread.
  public var phase: Phase { state.withLock { $0.machine.phase } }

  /// The work that was abandoned; empty until the service has ended, or if all work ended in time.
  ///
  /// **Runs on** any thread.
  public var abandoned: [AbandonedWork] { state.withLock { $0.abandoned } }

  /// Starts the time limit, since the shutdown has begun elsewhere.
  ///
  /// A server calls this if its requests wait for reactors, since the group ends the server before
  /// this service. The reactors continue until the group ends this service, or the time is over.
  ///
  /// **Runs on** any thread. Another call, or a call after the end, has no effect.
  public func shutdownHasBegun() { post(.announced) }

  /// Calls a closure when the time to drain is over or the service has ended, or at once if it has.
  ///
  /// **Runs on** any thread. The closure is called outside all locks.
  ///
  /// - Parameter body: The closure.
  package func onDrainTimeout(_ body: @escaping @Sendable () -> Void) {
    let hasTimedOut = state.withLock { state in
      if !state.hasTimedOut { state.timeoutHandlers.append(body) }
      return state.hasTimedOut
    }
    if hasTimedOut { body() }
  }

  /// Runs until the group ends, and then drains the reactors.
  ///
  /// It returns when the reactors have ended, or have been cancelled after the time limit, and the
  /// group has ended this service. It throws nothing.
  public func run() async throws {
    let (events, source) = AsyncStream<DrainMachine.Event>.makeStream()
    state.withLock { state in
      state.events = source
      state.abandoned = []
      state.hasTimedOut = false
      // An announcement before the start counts.
      if state.machine.start() { source.yield(.announced) }
    }
    await withTaskCancellationHandler {
      await withGracefulShutdownHandler {
        // This needs a task of its own, since a cancelled task could not wait for anything.
        await PipelineTasks.inheriting { await self.handle(events) }.value
      } onGracefulShutdown: {
        source.yield(.shutdownRequested)
      }
    } onCancel: {
      source.yield(.cancelled)
    }
  }

  /// The name in the log of the group.
  public var description: String { "ReactorService" }
}
