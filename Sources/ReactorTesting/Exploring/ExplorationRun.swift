public import Reactor
import ReactorRuntime

/// One run of an exploration: makes the world of a reactor, and states what has to hold.
///
/// ```swift
/// await explore(CheckoutReactor.self, actions: .cases) { run in
///   let shop = Shop(latency: { try await run.delay(upTo: .seconds(2)) })
///   run.whenIdle("nothing is loading") { !$0.isLoading }
///   run.finally("there is one order") { _ in await shop.orders.count <= 1 }
///   return CheckoutReactor(shop: shop, clock: run.clock)
/// }
/// ```
///
/// A check has a name, and is a closure that returns whether it holds. A check that does not hold
/// ends the run. Do not use `#expect` in it: that fails the test at once, and nothing is shrunk.
///
/// **Runs on**: the closures of ``always(_:_:)``, ``sometimes(_:_:)`` and
/// ``model(_:_:apply:agrees:)`` are called on the reactor, after each mutation or action; they must
/// not send. Those of ``whenIdle(_:_:)`` and ``finally(_:_:)`` are called in the run's own task.
///
/// Holds: `contents`, guarded by its own lock; closures are called outside it.
public final class ExplorationRun<R: Reactor>: Sendable {
  typealias Entry = RecordedEntry<R>

  struct StateCheck: Sendable {
    let name: String
    let holds: @Sendable (R.State) -> Bool
  }

  struct RestCheck: Sendable {
    let name: String
    let holds: @Sendable (R.State) async throws -> Bool
  }

  /// A model, which is changed by each action that begins.
  struct Model: Sendable {
    let name: String
    let take: @Sendable (R.Action) -> Void
    /// What differs; `nil` if the model agrees.
    let difference: @Sendable (R.State) -> String?
  }

  struct Contents: Sendable {
    var always: [StateCheck] = []
    var sometimes: [StateCheck] = []
    var whenIdle: [RestCheck] = []
    var finally: [RestCheck] = []
    var models: [Model] = []
    var beginning: Beginning<R>?
    var state: R.State?
    var entries: [Entry] = []
    var waiting: [UInt64: R.Action] = [:]
    var failure: ExplorationFailure?
    var counts = ExplorationCounts()
  }

  /// The simulation of the run.
  public let simulation: Simulation

  let contents = Guarded(Contents())
  let source: ChoiceSource

  init(_ simulation: Simulation, _ source: ChoiceSource) {
    (self.simulation, self.source) = (simulation, source)
  }

  /// The clock of the run, for the reactor and everything that waits.
  public var clock: SimulatedClock { simulation.clock }

  // MARK: What has happened

  /// The actions that the reactor has taken so far, in order.
  public var actions: [R.Action] { contents.withLock { $0.entries.compactMap(\.action) } }

  /// The mutations that have been reduced so far, in order.
  public var mutations: [R.Mutation] { contents.withLock { $0.entries.compactMap(\.mutation) } }

  /// The outputs so far, in order.
  public var outputs: [R.Output] { contents.withLock { $0.entries.compactMap(\.output) } }

  /// The reports so far, in order.
  public var reports: [ReactorReport] { contents.withLock { $0.entries.compactMap(\.report) } }

  // MARK: The world

  /// Chooses a value: the answer of a service, for example.
  ///
  /// The choice belongs to the run, so that it is repeated and shrunk with it. Call it in the run's
  /// closure, or in what the reactor calls; the call must be part of the simulation.
  ///
  /// - Parameters:
  ///   - choice: The values; not empty.
  ///   - name: The name in the counts of the exploration.
  /// - Returns: A value.
  public func choose<Value: Sendable>(_ choice: Choice<Value>, _ name: String) -> Value {
    let value = choice.draw(ChoiceDrawer(source: source, track: .world))
    count(name, "\(value)")
    return value
  }

  /// Chooses whether something fails; rarely true.
  ///
  /// ```swift
  /// if run.fails("offline") { throw Offline() }
  /// ```
  ///
  /// - Parameter name: The name in the counts of the exploration.
  /// - Returns: Whether it fails; false is the tamest.
  public func fails(_ name: String) -> Bool { choose(.bool, name) }

  /// Sleeps on the clock for a time that is chosen: none, a quarter, a half, or all of a limit.
  ///
  /// - Parameter limit: The longest time.
  /// - Throws: `CancellationError` if the task is cancelled.
  public func delay(upTo limit: Duration) async throws {
    let quarters = Choice<Int>.of(0, 1, 2, 4)
      .draw(ChoiceDrawer(source: source, track: .world))
    try await clock.sleep(for: limit * quarters / 4)
  }

  private func count(_ name: String, _ value: String) {
    contents.withLock { $0.counts.choices[name, default: [:]][value, default: 0] += 1 }
  }

  // MARK: Checks

  /// States what holds in every state.
  ///
  /// - Parameters:
  ///   - name: What is stated, in words.
  ///   - holds: Returns whether it holds; called with the first state, and after each mutation.
  public func always(_ name: String, _ holds: @escaping @Sendable (R.State) -> Bool) {
    contents.withLock { $0.always.append(StateCheck(name: name, holds: holds)) }
  }

  /// States what holds whenever no work is left: no task can run, and no action's effect runs or
  /// waits.
  ///
  /// - Parameters:
  ///   - name: What is stated, in words.
  ///   - holds: Returns whether it holds. An error that it throws is a failure.
  public func whenIdle(
    _ name: String, _ holds: @escaping @Sendable (R.State) async throws -> Bool
  ) {
    contents.withLock { $0.whenIdle.append(RestCheck(name: name, holds: holds)) }
  }

  /// States what holds at the end of the run, once the clock was advanced until no task sleeps, by
  /// at most ten minutes.
  ///
  /// - Parameters:
  ///   - name: What is stated, in words.
  ///   - holds: Returns whether it holds. An error that it throws is a failure.
  public func finally(
    _ name: String, _ holds: @escaping @Sendable (R.State) async throws -> Bool
  ) {
    contents.withLock { $0.finally.append(RestCheck(name: name, holds: holds)) }
  }

  /// States what has to hold in at least one state of one run: that a rare state is reached at all.
  ///
  /// - Parameters:
  ///   - name: What is stated, in words.
  ///   - holds: Returns whether it holds; called as for ``always(_:_:)``.
  public func sometimes(_ name: String, _ holds: @escaping @Sendable (R.State) -> Bool) {
    contents.withLock { contents in
      contents.sometimes.append(StateCheck(name: name, holds: holds))
      contents.counts.sometimes[name, default: 0] += 0
    }
  }

  /// Compares the reactor with a model: a plain value that each action changes at once.
  ///
  /// ```swift
  /// run.model("the cart", Cart()) { cart, action in
  ///   cart.take(action)
  /// } agrees: { cart, state in
  ///   cart.total == state.total
  /// }
  /// ```
  ///
  /// They are compared whenever no work is left, as for ``whenIdle(_:_:)``.
  ///
  /// - Parameters:
  ///   - name: What the model is, in words.
  ///   - model: The model before the first action.
  ///   - apply: Changes the model; called for each action for which `mutate` is called, in that
  ///     order. Actions that are refused or dropped are left out.
  ///   - agrees: Returns whether the model and a state agree.
  public func model<Value: Sendable>(
    _ name: String, _ model: Value,
    apply: @escaping @Sendable (inout Value, R.Action) -> Void,
    agrees: @escaping @Sendable (Value, R.State) -> Bool
  ) {
    let model = GuardedModel(model)
    contents.withLock { contents in
      contents.models.append(
        Model(
          name: name,
          take: { action in
            // A copy is changed: the closure is the user's, and runs under no lock.
            var changed = model.value
            apply(&changed, action)
            model.value = changed
          },
          difference: { state in
            let value = model.value
            return agrees(value, state) ? nil : "the model is \(value), and the state is \(state)"
          }))
    }
  }

  /// Starts the reactor with a state, in place of its initial one.
  ///
  /// Call it before the closure returns the reactor.
  ///
  /// - Parameter state: The state.
  public func begin(from state: R.State) { begin(Beginning(state)) }

  package func begin(_ beginning: Beginning<R>) {
    contents.withLock { $0.beginning = beginning }
  }
}

/// A model that closures share.
private final class GuardedModel<Value: Sendable>: Sendable {
  private let guarded: Guarded<Value>

  init(_ value: Value) { guarded = Guarded(value) }

  var value: Value {
    get { guarded.withLock { $0 } }
    set { guarded.withLock { $0 = newValue } }
  }
}
