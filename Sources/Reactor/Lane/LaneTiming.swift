/// When the actions of a lane start.
@usableFromInline
final class LaneTiming: Sendable {
  enum Kind: Sendable {
    case debounce
    case throttle(keepsFirst: Bool)
    case spacing
  }

  let kind: Kind
  private let duration: Duration
  private let clock: any Clock<Duration>

  init(_ kind: Kind, _ duration: Duration, _ clock: any Clock<Duration>) {
    self.kind = kind
    self.duration = duration
    self.clock = clock
  }

  /// Sleeps for the duration, or until the task is cancelled.
  func pass() async { try? await clock.sleep(for: duration) }
}
