public import Reactor
import ReactorRuntime

/// Writes down the newest actions and mutations of a reactor, with their causes: what to send along
/// with a bug report.
///
/// ```swift
/// let recording = Recording(of: cart, atMost: 1_000_000)
/// …
/// try recording.stretch?.write(to: "cart.recording")   // when something looks wrong
/// ```
///
/// It is a ring: of what does not fit into so many bytes, the oldest is released, and folded into
/// the state that the stretch begins with. A ``RecordedStretch`` is replayed to the same states,
/// and the kit makes a test of it.
///
/// It is no journal: it lasts as long as the process, and nothing waits for it. The reactor need
/// not be opened by a journal of more than memory.
///
/// **Runs on** the reactor, as every observer: it encodes each action and mutation there.
///
public final class Recording<R: JournaledReactor>: Sendable where R.Action: Codable {
  private let observer: RecordingObserver<R>
  private let registration: Registration

  /// Records a reactor from its next turn on.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - bytes: How long actions and mutations may be together, encoded; at least the newest one is
  ///     there.
  ///   - hashesEvery: Every how many mutations a hash of the state is written down, and of the last
  ///     one of a stretch; 0 for never. A replay finds by it where `reduce` makes something else,
  ///     and each costs an encoding of the state.
  ///   - codec: How they become bytes.
  ///   - clock: What measures the time between them.
  public init(
    of reactor: R, atMost bytes: Int = 1_000_000, hashesEvery: Int = 100,
    codec: any JournalCodec = JSONJournalCodec(), clock: any Clock<Duration> = ContinuousClock()
  ) {
    observer = RecordingObserver(
      RecordingRing(limit: bytes, hashesEvery: hashesEvery, codec: codec),
      elapsed: Self.stopwatch(clock))
    registration = reactor.addObserver(observer)
  }

  deinit { stop() }

  /// Records nothing more; what has been recorded stays.
  public func stop() { registration.remove() }

  /// What has been recorded so far; `nil` before the reactor's first turn.
  public var stretch: RecordedStretch<R>? { observer.ring.withLock { $0.stretch } }

  private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let begun = clock.now
    return { begun.duration(to: clock.now) }
  }
}

/// Puts the steps of one reactor into the ring.
///
/// Holds: `ring`, guarded by its own lock.
private final class RecordingObserver<R: JournaledReactor>: ReactorObserver
where R.Action: Codable {
  let ring: Guarded<RecordingRing<R>>
  private let elapsed: @Sendable () -> Duration

  init(_ ring: RecordingRing<R>, elapsed: @escaping @Sendable () -> Duration) {
    self.ring = Guarded(ring)
    self.elapsed = elapsed
  }

  var needs: ObserverNeeds { [.taken, .mutations, .life, .causes] }

  func observe(_ step: ReactorStep) {
    let time = elapsed()
    ring.withLock { $0.note(step, at: time) }
  }
}
