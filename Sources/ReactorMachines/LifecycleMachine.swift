/// The lifecycle of a reactor: whether it accepts actions, and how far its end has come.
///
/// ```
///          begin             close               passed(stage) …            finished
///   idle ─────────▶ running ────────▶ ending(stage) ──────────▶ finishing ─────────▶ ended
///    │  close                  begin      ▲                                            │
///    └─────────▶ closed ──────────────────┘             idle ◀────────── restart ──────┘
///   any state ─────────────────────────────── release ──────────────────────────▶ released
/// ```
///
/// | event | idle | running | closed | ending | finishing | ended | released |
/// |---|---|---|---|---|---|---|---|
/// | `begin` | running | – | ending(taking) | – | – | – | trap |
/// | `becomeStub` | running as a stub | – | – | – | – | – | – |
/// | `close` | closed | ending(taking) | expedited | expedited | expedited | – | – |
/// | `cutShort` | – | finishing | – | finishing | – | – | – |
/// | `passed(stage)` | trap | trap | trap | next stage, or finishing | – | – | – |
/// | `finished` | trap | trap | trap | trap | ended | trap | – |
/// | `restart` | – | – | – | – | – | idle, next generation | – |
/// | `release` | released | released | released | released | released | released | – |
///
/// An end passes these stages, each once and in this order: `taking` (every accepted action is
/// taken), `hook` (the hook over the actions passes on what it holds) and, if the end drains,
/// `work` (effects run to their ends) and `children`. An expedited end skips the stages after
/// `taking`.
@usableFromInline
package struct LifecycleMachine: Sendable, Hashable {
  /// What takes the actions.
  @usableFromInline
  package enum Role: Sendable, Hashable {
    case reactor
    /// A test: actions are recorded, not performed.
    case stub
  }

  /// What happens to effects at an end.
  package enum Mode: Sendable, Hashable {
    case cancel
    case drain
  }

  /// What an end waits for.
  @usableFromInline
  package enum Stage: Int, Sendable, Hashable { case taking, hook, work, children }

  package enum State: Sendable, Hashable {
    /// Nothing has been needed yet.
    case idle
    case running(Role)
    /// Closed before it began: it will begin, take what was accepted, and end.
    case closed(Mode)
    case ending(Role, Mode, Stage)
    /// Running effects are being cancelled, and the streams finished.
    ///
    /// The end may still wait for a stage that holds back what leaves the reactor; this waiting can
    /// be given up.
    case finishing
    case ended
    /// The reactor has been released.
    case released
  }

  package private(set) var state = State.idle
  /// Whether the end was requested again, and waits only for what has been accepted.
  package private(set) var isExpedited = false
  /// How often the reactor has begun again.
  package private(set) var generation: UInt32 = 0

  package init() {}

  /// The state as the reactor's turns see it.
  @usableFromInline
  package enum Phase: Sendable, Hashable {
    /// Nothing has been needed yet.
    case idle
    case running
    /// A test takes the actions.
    case stubbed
    /// Every accepted action has been taken; effects run to their ends.
    case draining
    /// Every accepted action has been taken; effects are about to be cancelled.
    case stopping
    case stopped
  }

  package var phase: Phase {
    switch state {
    case .idle, .closed: .idle
    case .running(let role), .ending(let role, _, .taking): role == .stub ? .stubbed : .running
    case .ending(_, let mode, _): mode == .drain ? .draining : .stopping
    case .finishing, .ended, .released: .stopped
    }
  }

  /// What happens to effects at the end that has begun, if one has.
  package var mode: Mode? {
    switch state {
    case .closed(let mode), .ending(_, let mode, _): mode
    case .idle, .running, .finishing, .ended, .released: nil
    }
  }

  /// Whether accepted actions are still being taken before an end.
  package var isTakingLast: Bool {
    if case .ending(_, _, .taking) = state { true } else { false }
  }

  /// Whether an action may be accepted.
  package var accepts: Bool {
    switch state {
    case .idle, .running: true
    case .closed, .ending, .finishing, .ended, .released: false
    }
  }

  package var hasEnded: Bool { state == .ended || state == .released }

  // MARK: Beginning

  /// The reactor is needed.
  ///
  /// - Parameter role: What takes its actions.
  /// - Returns: Whether the caller has to set up the state and call the hooks.
  package mutating func begin(as role: Role = .reactor) -> Bool {
    switch state {
    case .idle:
      state = .running(role)
      return true
    case .closed(let mode):
      state = .ending(role, mode, .taking)
      return true
    case .running, .ending, .finishing, .ended: return false
    case .released: preconditionFailure("begin in \(state)")
    }
  }

  /// A test takes the reactor's place.
  ///
  /// - Returns: Whether it does, which is possible only before the reactor was needed.
  package mutating func becomeStub() -> Bool {
    guard state == .idle else { return false }
    state = .running(.stub)
    return true
  }

  // MARK: Ending

  package enum Close: Sendable, Hashable {
    /// The end has begun, and the inbox is closed.
    case begun
    /// The end that had begun no longer waits for what can be given up: hooks, effects, children.
    case expedited
    /// Nothing changes.
    case already
  }

  /// The end is requested, from any thread.
  package mutating func close(_ mode: Mode) -> Close {
    switch state {
    case .idle: state = .closed(mode)
    case .running(let role): state = .ending(role, mode, .taking)
    case .closed, .ending, .finishing:
      guard mode == .cancel, !isExpedited else { return .already }
      isExpedited = true
      return .expedited
    case .ended, .released: return .already
    }
    return .begun
  }

  /// Ends the reactor at once, because what is kept cannot be written.
  ///
  /// An end that waits for a stage no longer continues after it.
  ///
  /// - Returns: Whether the caller has to finish. Otherwise that has begun or is over.
  package mutating func cutShort() -> Bool {
    switch state {
    case .running, .ending:
      state = .finishing
      return true
    case .idle, .closed, .finishing, .ended, .released: return false
    }
  }

  package enum Step: Sendable, Hashable {
    /// Wait until the stage has passed or the end is expedited, then report the stage as passed.
    case wait(Stage)
    /// Cancel what runs, finish the streams, and report `finished`.
    case finish
    /// The reactor has been released, or the end was cut short: nothing is left to do.
    case stop
  }

  /// A stage is over, or the end was expedited meanwhile.
  package mutating func passed(_ stage: Stage) -> Step {
    switch state {
    case .ending(let role, let mode, stage):
      let next: Stage? =
        switch stage {
        case .taking where !isExpedited: .hook
        case .hook where !isExpedited && mode == .drain: .work
        case .work where !isExpedited: .children
        case .taking, .hook, .work, .children: nil
        }
      guard let next else {
        state = .finishing
        return .finish
      }
      state = .ending(role, mode, next)
      return .wait(next)
    case .finishing, .ended, .released: return .stop
    case .idle, .running, .closed, .ending:
      preconditionFailure("passed \(stage) in \(state)")
    }
  }

  /// Everything has been cancelled, and every stream finished.
  package mutating func finished() {
    switch state {
    case .finishing: (state, isExpedited) = (.ended, false)
    case .released: break
    case .idle, .running, .closed, .ending, .ended: preconditionFailure("finished in \(state)")
    }
  }

  // MARK: Beginning again

  package enum Restart: Sendable, Hashable {
    /// A new generation begins; the caller sets it up.
    case begin
    /// It has begun again already.
    case already
    /// It has not ended, or was released.
    case impossible
  }

  /// Begins again.
  ///
  /// - Parameter generation: The generation that has ended.
  /// - Returns: What the caller has to do.
  package mutating func restart(after generation: UInt32) -> Restart {
    guard generation == self.generation else { return .already }
    guard state == .ended else { return .impossible }
    state = .idle
    self.generation += 1
    return .begin
  }

  // MARK: Release

  /// The last reference to the reactor is released.
  ///
  /// - Returns: Whether the caller has to finish the reactor, because that had not begun.
  package mutating func release() -> Bool {
    defer { (state, isExpedited) = (.released, false) }
    return phase != .stopped
  }
}
