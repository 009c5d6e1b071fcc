import Synchronization

/// What those who observe one reactor are told, and what is remembered for that: the actions that
/// have been taken and have not ended, and their effects.
///
/// Made once somebody in the process observes any reactor; where that is not this one, it says so
/// with one look.
///
/// It knows no types: to look those of a generic object up would be most of what a step costs.
///
/// Guard of every field: the reactor's isolation; when the reactor is gone, its last reference has
/// it to itself.
@usableFromInline
final class Telling: @unchecked Sendable {
  let identity: ReactorIdentity

  // MARK: Whom

  /// As of when those who observe are known.
  @exclusivity(unchecked)
  @usableFromInline var version: UInt64?
  /// What those who observe need, all in all; nothing where nobody does.
  @exclusivity(unchecked)
  @usableFromInline var needs: ObserverNeeds = []
  /// Whether more is told of an action than that it has been taken.
  @exclusivity(unchecked)
  @usableFromInline private(set) var tracksActions = false
  /// Those who observe.
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
  var isStarted = false
  /// Whether every state comes by.
  @exclusivity(unchecked)
  var isShownStates = false
  /// Whether it has been reported that observers make one another send.
  @exclusivity(unchecked)
  var isCircleReported = false
  @exclusivity(unchecked)
  var mutations: UInt64 = 0
  @exclusivity(unchecked)
  var effects: EffectNumber = 0
  /// The number of the action that was taken last.
  @exclusivity(unchecked)
  private var last: UInt64?
  /// That action, until another one is taken: mostly it has ended before that.
  @exclusivity(unchecked)
  private var now: ToldAction?
  @exclusivity(unchecked)
  private(set) var open: [UInt64: ToldAction] = [:]
  @exclusivity(unchecked)
  var running: [ObjectIdentifier: ToldEffect] = [:]
  /// The effect whose mutation is being reduced.
  @exclusivity(unchecked)
  @usableFromInline var emitting: ObjectIdentifier?

  init(_ identity: ReactorIdentity) {
    self.identity = identity
    step = ReactorStep(.released, of: nil, in: identity, at: nil)
  }

  /// Those who observe have changed.
  func renew(_ entries: [ObserverEntry], at version: UInt64) {
    self.version = version
    self.entries = entries
    needs = entries.reduce(into: []) { $0.formUnion($1.needs) }
    needs.remove(.carried)
    tracksActions = needs.tracksActions
    tellDistinct(as: version)
  }

  private func tellDistinct(as version: UInt64) {
    told = ObserverEntry.distinct(entries)
    toldVersion = version
  }

  /// Nobody observes any more.
  func forget() {
    (isStarted, isCircleReported, state) = (false, false, nil)
    (last, now, open, running, entries, told) = (nil, nil, [:], [:], [], [])
    needs = []
    step.forget()
  }

  // MARK: Actions

  /// Whether nobody has been told of the action yet.
  @usableFromInline
  func isNew(_ number: UInt64) -> Bool {
    number != last && (open.isEmpty || open[number] == nil)
  }

  /// The action, if it has been taken and has not ended.
  @usableFromInline
  func known(_ number: UInt64) -> ToldAction? {
    if let now, now.number == number { return now }
    return open.isEmpty ? nil : open[number]
  }

  /// Remembers an action that has been taken; only that it has, where nothing more is told of it.
  func remember(_ number: UInt64, _ action: ToldAction?) {
    if let now { open[now.number] = now }
    now = action
    last = number
  }

  /// Forgets an action that has ended.
  func forget(_ action: ToldAction) {
    if now === action { now = nil } else { open[action.number] = nil }
  }

  /// All that have been taken and have not ended, in their order.
  var allOpen: [ToldAction] {
    (open.values + (now.map { [$0] } ?? [])).sorted { $0.number < $1.number }
  }

  // MARK: Telling

  /// What time it is, in ticks of ``WorkTime``, if anybody needs to know.
  var time: Int64? { needs.contains(.times) ? WorkTime.ticks : nil }

  /// Tells everybody who needs it of a step.
  func tell(
    _ need: ObserverNeeds, _ kind: @autoclosure () -> ReactorStep.Kind,
    of action: ToldAction? = nil, at time: Int64? = nil
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
    of action: ToldAction? = nil
  ) {
    guard needs.contains(need) else { return }
    tell(need, kind(), of: action)
    step.forgetKind()
  }
}

/// An action that has been taken and has not ended.
///
/// Guard of every field: as of ``Telling``.
@usableFromInline
final class ToldAction: @unchecked Sendable {
  let number: UInt64
  @exclusivity(unchecked)
  var told: ObservedAction
  let taken: Int64?
  /// How many observers, one told of what another one had sent, led to it.
  let depth: Int
  @exclusivity(unchecked)
  var waitsSince: Int64?
  /// Whether it tells by itself that it has ended, as work goes on after its turn.
  @exclusivity(unchecked)
  @usableFromInline var isFollowed = false

  init(_ told: ObservedAction, taken: Int64?, depth: Int) {
    number = told.number.rawValue
    (self.told, self.taken, self.depth) = (told, taken, depth)
  }
}

/// An effect that runs.
struct ToldEffect {
  let number: EffectNumber
  let action: UInt64
  let since: Int64?
}
