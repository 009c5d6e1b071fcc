import ReactorRuntime
import Synchronization

/// Notifies the observers of one reactor, and records what that needs: the actions that have been
/// taken and have not ended, and their effects.
///
/// It is not generic: the lookup of a generic object's types would be most of the cost of a step.
///
/// Guard of every field: the reactor's isolation; once the reactor has been released, the last
/// reference to it has exclusive access.
@usableFromInline
final class ObservedReactor: @unchecked Sendable {
  let identity: ReactorIdentity

  /// Whether an action begins when it is taken: no hook and no lane can delay it.
  let beginsAtOnce: Bool

  // MARK: Observers

  /// The union of what the observers need; empty if there are none.
  private(set) var needs: ObserverNeeds = []
  /// The observers.
  private var entries: [ObserverEntry] = []
  /// Those of `entries` that are notified, each object once, as of `notifiedVersion`.
  private(set) var notified: [ObserverEntry] = []
  private var notifiedVersion: UInt64?

  // MARK: Records

  /// The last state that was delivered, if an observer needs it.
  var state: (any Sendable)?
  private var isStarted = false
  /// Whether a cycle of observers that make one another send has been reported.
  private var isCycleReported = false
  var mutations: UInt64 = 0
  var effects: EffectNumber = 0
  /// The number of the action that was taken last.
  private var last: UInt64?
  /// The actions that have been taken and have not ended, if further steps of them are delivered.
  private var open: [UInt64: ObservedWork] = [:]
  var running: [ObjectIdentifier: ObservedEffect] = [:]

  init(_ identity: ReactorIdentity, beginsAtOnce: Bool) {
    self.identity = identity
    self.beginsAtOnce = beginsAtOnce
  }

  /// Updates the observers; a new one begins with the present state.
  func setObservers(_ entries: [ObserverEntry], state: (any Sendable)?) {
    let before = notified.filter(\.isRegistered)
    // The beginning of these actions was not delivered to any observer, so their end is not either.
    if before.isEmpty { reset() }
    self.entries = entries
    needs = ObserverEntry.needs(of: entries)
    updateNotified(as: ReactorObservers.version.load(ordering: .acquiring))
    self.state = needs.contains(.oldStates) ? state : nil
    guard let state else { return }
    let known = isStarted ? Set(before.map(\.number)) : []
    notifyStart(state, to: notified.filter { !known.contains($0.number) })
    isStarted = !needs.isEmpty
  }

  private func notifyStart(_ state: any Sendable, to entries: [ObserverEntry]) {
    let step = ReactorStep(.started(state: state), of: nil, in: identity, at: time)
    ObserverEntry.notify(entries, step, .lifecycle)
  }

  /// The reactor has been restarted.
  func start(_ state: any Sendable) {
    if isStarted { return }
    isStarted = true
    if needs.contains(.oldStates) { self.state = state }
    notifyStart(state, to: notified)
  }

  /// The reactor has ended.
  func stop() {
    if isStarted { notify(.lifecycle, .stopped) }
    isStarted = false
  }

  private func updateNotified(as version: UInt64) {
    notified = ObserverEntry.distinct(entries)
    notifiedVersion = version
  }

  /// No observer is left.
  private func reset() {
    (isStarted, isCycleReported, state) = (false, false, nil)
    (last, open, running, entries, notified) = (nil, [:], [:], [], [])
    needs = []
  }

  // MARK: Actions

  /// Whether the action has not been delivered yet.
  func isNew(_ number: UInt64) -> Bool { number != last && open[number] == nil }

  /// The action, if it has been taken and has not ended.
  func known(_ number: UInt64) -> ObservedWork? { open[number] }

  /// Whether an action's work, and its end, are delivered.
  var tracksWork: Bool { !beginsAtOnce || needs.tracksActions }

  /// Records an action that has been taken; only its number if no further steps of it are
  /// delivered.
  func record(_ number: UInt64, _ action: ObservedWork?) {
    if let action { open[number] = action }
    last = number
  }

  /// Skips an action that an observer sent in response to one that an observer had sent.
  ///
  /// - Returns: Whether it is the first one, which is to be reported.
  func skip(_ number: UInt64) -> Bool {
    last = number
    defer { isCycleReported = true }
    return !isCycleReported
  }

  /// Removes an action that has ended, and returns it.
  func remove(_ number: UInt64) -> ObservedWork? { open.removeValue(forKey: number) }

  /// All actions that have been taken and have not ended, in their order.
  var allOpen: [ObservedWork] { open.values.sorted { $0.number < $1.number } }

  // MARK: Notifying

  /// The present time in ticks of ``WorkTime``, if an observer needs it.
  var time: Int64? { needs.contains(.times) ? WorkTime.ticks : nil }

  /// Delivers a step to the observers that need it.
  func notify(
    _ need: ObserverNeeds, _ kind: @autoclosure () -> ReactorStep.Kind,
    of action: ObservedWork? = nil, at time: Int64? = nil
  ) {
    guard needs.contains(need) else { return }
    notify(
      need, kind(), of: action?.observedAction, at: time ?? self.time, depth: action?.depth ?? 0)
  }

  func notify(
    _ need: ObserverNeeds, _ kind: consuming ReactorStep.Kind, of action: ObservedAction?,
    at time: Int64?, depth: Int
  ) {
    let version = ReactorObservers.version.load(ordering: .acquiring)
    if notifiedVersion != version { updateNotified(as: version) }
    let step = ReactorStep(kind, of: action, in: identity, at: time)
    ObserverEntry.notify(notified, step, need, depth: depth)
  }
}

/// An action that has been taken and has not ended.
///
/// Guard of every field: as of ``ObservedReactor``.
final class ObservedWork: @unchecked Sendable {
  let number: UInt64
  var observedAction: ObservedAction
  let taken: Int64?
  /// The number of observers in the chain that led to it, each sending in response to the one
  /// before.
  let depth: Int
  var waitsSince: Int64?

  init(_ observedAction: ObservedAction, taken: Int64?, depth: Int) {
    number = observedAction.number.rawValue
    (self.observedAction, self.taken, self.depth) = (observedAction, taken, depth)
  }
}

/// A running effect.
struct ObservedEffect {
  let number: EffectNumber
  let action: UInt64
  let since: Int64?
}
