/// What those who observe one reactor are told, and what is remembered for that: the actions that
/// have been taken and have not ended, and their effects.
///
/// Made once somebody in the process observes any reactor; where that is not this one, it says so
/// with one look.
///
/// Guard of every field: the reactor's isolation; when the reactor is gone, its last reference has
/// it to itself.
@usableFromInline
final class Telling<Action: Sendable, State: Sendable>: @unchecked Sendable {
  /// An action that has been taken and has not ended.
  struct OpenAction {
    let told: ObservedAction
    let taken: ContinuousClock.Instant
    var waitsSince: ContinuousClock.Instant?
    var isBegun = false
    /// Whether it tells by itself that it has ended, as work goes on after its turn.
    var isFollowed = false
  }

  /// An effect that runs.
  struct RunningEffect {
    let number: EffectNumber
    let action: UInt64
    let since: ContinuousClock.Instant
  }

  let identity: ReactorIdentity
  /// Whom to tell, and as of when.
  var entries: [ObserverEntry] = []
  var version: UInt64?
  /// The last state that was told.
  var state: State?
  var isStarted = false
  /// Whether it has been reported that observers make one another send.
  var isCircleReported = false
  var mutations: UInt64 = 0
  var effects: EffectNumber = 0
  var open: [UInt64: OpenAction] = [:]
  var running: [ObjectIdentifier: RunningEffect] = [:]

  init(_ identity: ReactorIdentity) { self.identity = identity }

  var isHeard: Bool { !entries.isEmpty }

  /// Tells everybody of a step.
  func tell(
    _ kind: ReactorStep.Kind, of action: ObservedAction? = nil,
    at time: ContinuousClock.Instant? = nil
  ) {
    guard isHeard else { return }
    let step = ReactorStep(kind, in: identity, action: action, at: time ?? WorkTime.now)
    ObserverEntry.tell(entries, step)
  }

  /// Tells of a step of an action that is known.
  func tell(_ kind: ReactorStep.Kind, of number: UInt64, at time: ContinuousClock.Instant? = nil) {
    if let action = open[number] { tell(kind, of: action.told, at: time) }
  }
}

extension ObserverEntry {
  /// Tells some observers of a step.
  ///
  /// What they send is known to have been sent by one that was told.
  static func tell(_ entries: [ObserverEntry], _ step: ReactorStep) {
    var depth: Int?
    for entry in entries where entry.isThere {
      if entry.isQuiet {
        entry.observer.observe(step)
      } else {
        let inner = (depth ?? ObserverDepth.current) + 1
        depth = inner - 1
        ObserverDepth.$current.withValue(inner) { entry.observer.observe(step) }
      }
    }
  }
}

/// An observer that never sends, so that nobody need look whether it does.
package protocol QuietObserver: ReactorObserver {}
