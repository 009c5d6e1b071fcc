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
  private let beginsAtOnce: Bool

  // MARK: Observers

  /// What the observers need, all in all; nothing where there are none.
  @exclusivity(unchecked)
  private(set) var needs: ObserverNeeds = []
  /// Whether more is told of an action than that it has been taken.
  @exclusivity(unchecked)
  private var tracksActions = false
  /// The observers.
  @exclusivity(unchecked)
  private var entries: [ObserverEntry] = []
  /// Of these, those that are told, each object once, and as of when.
  @exclusivity(unchecked)
  private(set) var told: [ObserverEntry] = []
  @exclusivity(unchecked)
  private var toldVersion: UInt64?

  // MARK: What

  /// The step that was told last: the next one is made of it, unless somebody has kept it.
  @exclusivity(unchecked)
  var step: ReactorStep
  /// The last state that was told, where somebody needs it.
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
  /// That action, until another one is taken: mostly it has ended before that.
  @exclusivity(unchecked)
  private var now: ObservedWork?
  @exclusivity(unchecked)
  private var open: [UInt64: ObservedWork] = [:]
  @exclusivity(unchecked)
  var running: [ObjectIdentifier: ObservedEffect] = [:]

  init(_ identity: ReactorIdentity, beginsAtOnce: Bool) {
    self.identity = identity
    self.beginsAtOnce = beginsAtOnce
    step = ReactorStep(.released, of: nil, in: identity, at: nil)
  }

  /// Observers have come or gone: a new one begins with the state of now.
  func renew(_ entries: [ObserverEntry], state: (any Sendable)?) {
    let before = told.filter(\.isThere)
    // No observer was told what happened while there was none; so none is told how that ends.
    if before.isEmpty { forget() }
    self.entries = entries
    needs = entries.reduce(into: []) { $0.formUnion($1.needs) }
    needs.remove(.carried)
    tracksActions = needs.tracksActions
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
    (last, now, open, running, entries, told) = (nil, nil, [:], [:], [], [])
    needs = []
    step.forget()
  }

  // MARK: Actions

  /// Whether the action has yet to be told.
  func isNew(_ number: UInt64) -> Bool {
    number != last && (open.isEmpty || open[number] == nil)
  }

  /// The action, if it has been taken and has not ended.
  func known(_ number: UInt64) -> ObservedWork? {
    if let now, now.number == number { return now }
    return open.isEmpty ? nil : open[number]
  }

  /// Whether what an action leads to is told, and that it has ended.
  var tracksWork: Bool { !beginsAtOnce || tracksActions }

  /// Whether a turn begins in the moment in which its action is taken.
  var beginsWhenTaken: Bool { beginsAtOnce }

  /// Remembers an action that has been taken; only that it has, where nothing more is told of it.
  func remember(_ number: UInt64, _ action: ObservedWork?) {
    if let now { open[now.number] = now }
    now = action
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

  /// Forgets an action that has ended.
  func forget(_ action: ObservedWork) {
    if now === action { now = nil } else { open[action.number] = nil }
  }

  /// All that have been taken and have not ended, in their order.
  var allOpen: [ObservedWork] {
    (open.values + (now.map { [$0] } ?? [])).sorted { $0.number < $1.number }
  }

  // MARK: Telling

  /// What time it is, in ticks of ``WorkTime``, if anybody needs to know.
  var time: Int64? { needs.contains(.times) ? WorkTime.ticks : nil }

  /// Tells everybody who needs it of a step.
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
    step.become(kind, of: action, at: time)
    let version = ReactorObservers.version.load(ordering: .acquiring)
    if toldVersion != version { tellDistinct(as: version) }
    // One that is told in the middle of this is another step.
    ObserverEntry.tell(told, step, need, depth: depth)
  }

  /// The same where the step has values in it, which nobody is to keep alive.
  func tellOnce(
    _ need: ObserverNeeds, _ kind: @autoclosure () -> ReactorStep.Kind,
    of action: ObservedWork? = nil
  ) {
    guard needs.contains(need) else { return }
    tell(need, kind(), of: action)
    step.forgetKind()
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
