import ReactorRuntime
import Synchronization

/// What the observers of one reactor are told, and what is remembered for that: the actions that
/// have been taken and have not ended, and their effects.
///
/// It knows no types: to look those of a generic object up would be most of what a step costs.
///
/// Guard of every field: the reactor's isolation; when the reactor is gone, its last reference has
/// it to itself.
@usableFromInline
final class ObservedReactor: @unchecked Sendable {
  let identity: ReactorIdentity

  /// Whether an action begins when it is taken: no hook and no lane can delay it.
  let beginsAtOnce: Bool

  // MARK: Observers

  /// What the observers need, all in all; nothing where there are none.
  @exclusivity(unchecked)
  private(set) var needs: ObserverNeeds = []
  /// The observers.
  @exclusivity(unchecked)
  private var entries: [ObserverEntry] = []
  /// Of these, those that are told, each object once, and as of when.
  @exclusivity(unchecked)
  private(set) var told: [ObserverEntry] = []
  @exclusivity(unchecked)
  private var toldVersion: UInt64?

  // MARK: What

  /// The last state that was told, where an observer needs it.
  @exclusivity(unchecked)
  var state: (any Sendable)?
  @exclusivity(unchecked)
  private var isStarted = false
  /// Whether it has been reported that observers make one another send.
  @exclusivity(unchecked)
  private var isCircleReported = false
  @exclusivity(unchecked)
  var mutations: UInt64 = 0
  @exclusivity(unchecked)
  var effects: EffectNumber = 0
  /// The number of the action that was taken last.
  @exclusivity(unchecked)
  private var last: UInt64?
  /// The actions that have been taken and have not ended, where more is told of them than that.
  @exclusivity(unchecked)
  private var open: [UInt64: ObservedWork] = [:]
  @exclusivity(unchecked)
  var running: [ObjectIdentifier: ObservedEffect] = [:]

  init(_ identity: ReactorIdentity, beginsAtOnce: Bool) {
    self.identity = identity
    self.beginsAtOnce = beginsAtOnce
  }

  /// Observers have come or gone: a new one begins with the state of now.
  func renew(_ entries: [ObserverEntry], state: (any Sendable)?) {
    let before = told.filter(\.isThere)
    // No observer was told what happened while there was none; so none is told how that ends.
    if before.isEmpty { forget() }
    self.entries = entries
    needs = ObserverEntry.needs(of: entries)
    tellDistinct(as: ReactorObservers.version.load(ordering: .acquiring))
    self.state = needs.contains(.oldStates) ? state : nil
    guard let state else { return }
    let known = isStarted ? Set(before.map(\.number)) : []
    tellStart(state, to: told.filter { !known.contains($0.number) })
    isStarted = !needs.isEmpty
  }

  private func tellStart(_ state: any Sendable, to entries: [ObserverEntry]) {
    let step = ReactorStep(.started(state: state), of: nil, in: identity, at: time)
    ObserverEntry.tell(entries, step, .life)
  }

  /// The reactor has begun again.
  func start(_ state: any Sendable) {
    if isStarted { return }
    isStarted = true
    if needs.contains(.oldStates) { self.state = state }
    tellStart(state, to: told)
  }

  /// The reactor has ended.
  func stop() {
    if isStarted { tell(.life, .stopped) }
    isStarted = false
  }

  private func tellDistinct(as version: UInt64) {
    told = ObserverEntry.distinct(entries)
    toldVersion = version
  }

  /// Nothing observes any more.
  private func forget() {
    (isStarted, isCircleReported, state) = (false, false, nil)
    (last, open, running, entries, told) = (nil, [:], [:], [], [])
    needs = []
  }

  // MARK: Actions

  /// Whether the action has yet to be told.
  func isNew(_ number: UInt64) -> Bool { number != last && open[number] == nil }

  /// The action, if it has been taken and has not ended.
  func known(_ number: UInt64) -> ObservedWork? { open[number] }

  /// Whether what an action leads to is told, and that it has ended.
  var tracksWork: Bool { !beginsAtOnce || needs.tracksActions }

  /// Remembers an action that has been taken; only that it has, where nothing more is told of it.
  func remember(_ number: UInt64, _ action: ObservedWork?) {
    if let action { open[number] = action }
    last = number
  }

  /// Tells nothing of an action that an observer has sent for one that an observer had sent.
  ///
  /// - Returns: Whether it is the first, which is to be reported.
  func ignore(_ number: UInt64) -> Bool {
    last = number
    defer { isCircleReported = true }
    return !isCircleReported
  }

  /// Forgets an action that has ended, and returns it.
  func forget(_ number: UInt64) -> ObservedWork? { open.removeValue(forKey: number) }

  /// All that have been taken and have not ended, in their order.
  var allOpen: [ObservedWork] { open.values.sorted { $0.number < $1.number } }

  // MARK: Telling

  /// What time it is, in ticks of ``WorkTime``, if an observer needs to know.
  var time: Int64? { needs.contains(.times) ? WorkTime.ticks : nil }

  /// Tells the observers that need it of a step.
  func tell(
    _ need: ObserverNeeds, _ kind: @autoclosure () -> ReactorStep.Kind,
    of action: ObservedWork? = nil, at time: Int64? = nil
  ) {
    guard needs.contains(need) else { return }
    tell(need, kind(), of: action?.told, at: time ?? self.time, depth: action?.depth ?? 0)
  }

  func tell(
    _ need: ObserverNeeds, _ kind: consuming ReactorStep.Kind, of action: ObservedAction?,
    at time: Int64?, depth: Int
  ) {
    let version = ReactorObservers.version.load(ordering: .acquiring)
    if toldVersion != version { tellDistinct(as: version) }
    let step = ReactorStep(kind, of: action, in: identity, at: time)
    ObserverEntry.tell(told, step, need, depth: depth)
  }
}

/// An action that has been taken and has not ended.
///
/// Guard of every field: as of ``ObservedReactor``.
final class ObservedWork: @unchecked Sendable {
  let number: UInt64
  @exclusivity(unchecked)
  var told: ObservedAction
  let taken: Int64?
  /// How many observers, one told of what another one had sent, led to it.
  let depth: Int
  @exclusivity(unchecked)
  var waitsSince: Int64?

  init(_ told: ObservedAction, taken: Int64?, depth: Int) {
    number = told.number.rawValue
    (self.told, self.taken, self.depth) = (told, taken, depth)
  }
}

/// An effect that runs.
struct ObservedEffect {
  let number: EffectNumber
  let action: UInt64
  let since: Int64?
}
