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
  /// Whom to tell, and as of when.
  var entries: [ObserverEntry] = []
  var version: UInt64?
  /// The last state that was told.
  var state: (any Sendable)?
  var isStarted = false
  /// Whether it has been reported that observers make one another send.
  var isCircleReported = false
  var mutations: UInt64 = 0
  var effects: EffectNumber = 0
  var open: [UInt64: ToldAction] = [:]
  var running: [ObjectIdentifier: ToldEffect] = [:]

  init(_ identity: ReactorIdentity) { self.identity = identity }

  var isHeard: Bool { !entries.isEmpty }

  /// Whether somebody is told of the state before a mutation.
  var comparesStates: Bool { entries.contains { $0.comparesStates } }

  /// Tells everybody of a step.
  func tell(
    _ kind: ReactorStep.Kind, of action: ToldAction? = nil,
    at time: ContinuousClock.Instant? = nil
  ) {
    guard isHeard else { return }
    let step = ReactorStep(kind, in: identity, action: action?.told, at: time ?? WorkTime.now)
    ObserverEntry.tell(entries, step, depth: action?.depth ?? 0)
  }

  /// Tells of a step of an action that is known.
  func tell(_ kind: ReactorStep.Kind, of number: UInt64, at time: ContinuousClock.Instant? = nil) {
    if let action = open[number] { tell(kind, of: action, at: time) }
  }
}

/// An action that has been taken and has not ended.
struct ToldAction {
  var told: ObservedAction
  let taken: ContinuousClock.Instant
  /// How many observers, one told of what another one had sent, led to it.
  let depth: Int
  var waitsSince: ContinuousClock.Instant?
  /// Whether it tells by itself that it has ended, as work goes on after its turn.
  var isFollowed = false
}

/// An effect that runs.
struct ToldEffect {
  let number: EffectNumber
  let action: UInt64
  let since: ContinuousClock.Instant
}

extension ObserverEntry {
  /// Tells some observers of a step; an object that was added more than once is told once.
  ///
  /// What they send is known to have been sent by one that was told.
  ///
  /// - Parameters:
  ///   - entries: The observers, in their order.
  ///   - step: The step.
  ///   - depth: How many observers led to the action that it is of.
  static func tell(_ entries: [ObserverEntry], _ step: ReactorStep, depth: Int = 0) {
    for entry in distinct(entries) {
      if entry.isQuiet {
        entry.observer.observe(step)
      } else {
        let inner = max(depth, ObserverDepth.current) + 1
        ObserverDepth.$current.withValue(inner) { entry.observer.observe(step) }
      }
    }
  }
}

/// An observer that never sends, so that nobody need look whether it does.
package protocol QuietObserver: ReactorObserver {}
