public import Logging
public import Reactor
import ReactorRuntime
public import ServiceLifecycle

/// Reactors in a service group: they run until the group ends, and are then drained, for a time.
///
/// ```swift
/// let reactors = ReactorService(rooms, sessions, drain: .seconds(5))
/// try await ServiceGroup(
///   services: [database, reactors, app], gracefulShutdownSignals: [.sigterm], logger: logger
/// ).run()
/// ```
///
/// A service group ends its services one by one, the last one first. So what the reactors need
/// stands before this service, and what needs the reactors, such as the server, behind it.
///
/// **Draining**: the parts are ended one by one, too, the last one first, so that each may ask
/// those before it until its own work is done. Nothing more is accepted; what has been accepted
/// comes to its end. What has not when the time is up is cancelled, logged by reactor and action,
/// and kept in ``abandoned``.
///
/// **When the group is cancelled** rather than asked to end, because another service threw, it
/// drains all the same, and as long. A group that is cancelled while this drains, because it has
/// been told to wait no longer, cuts that short.
///
/// **The time** counts from the moment at which the shutdown is known: that is when the group comes
/// to this service, or before, when a server tells it by ``shutdownHasBegun()``. Else a request
/// that waits for an effect would hold up the server, and the server this service.
///
/// **Runs on** any thread. Holds: `state`, guarded by its own lock.
public final class ReactorService: Service, CustomStringConvertible {
  /// How far it is.
  public enum Phase: Sendable, Hashable {
    /// It has not been started.
    case waiting
    /// The reactors can be used.
    case running
    /// The group ends: what has been accepted comes to its end.
    case draining
    /// All is over.
    case ended
  }

  struct State: Sendable {
    var plan = DrainPlan()
    var abandoned: [AbandonedWork] = []
    /// Whether what still runs is not waited for any longer.
    var isTimeUp = false
    /// Who is to be told of that.
    var whenTimeIsUp: [@Sendable () -> Void] = []
    /// Where what happens goes, while it runs.
    var events: AsyncStream<DrainPlan.Event>.Continuation?
  }

  let state = Guarded(State())
  let parts: [any Drainable]
  let drain: Duration
  let clock: any Clock<Duration>
  let logger: Logger

  /// A service for reactors.
  ///
  /// - Parameters:
  ///   - parts: Reactors, groups and registries; one that uses another stands behind it.
  ///   - drain: For how long what runs may still run in the end.
  ///   - clock: What measures that.
  ///   - logger: Told of what had to be abandoned.
  public convenience init(
    _ parts: any Drainable..., drain: Duration = .seconds(5),
    clock: any Clock<Duration> = ContinuousClock(),
    logger: Logger = Logger(label: "ReactorService")
  ) {
    self.init(parts, drain: drain, clock: clock, logger: logger)
  }

  /// A service for a list of reactors.
  ///
  /// - Parameters:
  ///   - parts: Reactors, groups and registries; one that uses another stands behind it.
  ///   - drain: For how long what runs may still run in the end.
  ///   - clock: What measures that.
  ///   - logger: Told of what had to be abandoned.
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

  /// How far it is; what a readiness route asks.
  ///
  /// **Runs on** any thread.
  public var phase: Phase { state.withLock { $0.plan.phase } }

  /// What had to be abandoned; empty until it has ended, and if all came to its end.
  ///
  /// **Runs on** any thread.
  public var abandoned: [AbandonedWork] { state.withLock { $0.abandoned } }

  /// The shutdown has begun, though not here yet: the time begins to run.
  ///
  /// What a server says whose requests wait for reactors, and which the group ends before them. The
  /// reactors go on until the group comes to them, or the time is up.
  ///
  /// **Runs on** any thread; called again, or after the end, it does nothing.
  public func shutdownHasBegun() { tell(.announced) }

  /// Has something done when the time to drain is up, or all is over; at once, if that is so.
  ///
  /// **Runs on** any thread; the body is called outside all locks.
  ///
  /// - Parameter body: What to do.
  package func whenTimeIsUp(_ body: @escaping @Sendable () -> Void) {
    let isTimeUp = state.withLock { state in
      if !state.isTimeUp { state.whenTimeIsUp.append(body) }
      return state.isTimeUp
    }
    if isTimeUp { body() }
  }

  /// Runs until the group ends, and then drains.
  ///
  /// **Returns** when the reactors have ended, or been cancelled after their time, and the group
  /// has come to this service. It throws nothing.
  public func run() async throws {
    let (events, source) = AsyncStream<DrainPlan.Event>.makeStream()
    state.withLock { state in
      state.events = source
      state.abandoned = []
      state.isTimeUp = false
      // What was said before it ran is not forgotten.
      if state.plan.start() { source.yield(.announced) }
    }
    await withTaskCancellationHandler {
      await withGracefulShutdownHandler {
        // In a task of its own: one that has been cancelled could not wait for anything.
        await PipelineTasks.inheriting { await self.follow(events) }.value
      } onGracefulShutdown: {
        source.yield(.asked)
      }
    } onCancel: {
      source.yield(.cancelled)
    }
  }

  /// What the group calls it in its log.
  public var description: String { "ReactorService" }
}
