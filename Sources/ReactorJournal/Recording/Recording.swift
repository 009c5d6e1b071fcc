public import Reactor
import ReactorRuntime

/// Records the newest actions and mutations of a reactor, with their causes, for a bug report.
///
/// ```swift
/// let recording = Recording(of: cart, atMost: 1_000_000)
/// …
/// try recording.segment?.write(to: "cart.recording")   // when something looks wrong
/// ```
///
/// It is a ring buffer of limited size. The oldest actions and mutations are discarded, and the
/// mutations are folded into the state that the recording begins with. A ``RecordedSegment``
/// replays to the same states, and ReactorJournalTesting makes a test of it.
///
/// A recording is not a journal: it lasts as long as the process, and nothing waits for it. The
/// reactor may be opened by a journal in memory.
///
/// **Runs on** the reactor, as every observer does, and encodes each action and mutation there.
public final class Recording<R: JournaledReactor>: Sendable where R.Action: Codable {
  private let observer: RecordingObserver<R>
  private let registration: Registration

  /// Starts to record a reactor with its next turn.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - bytes: The maximum size of the encoded actions and mutations in bytes; the newest one is
  ///     always recorded.
  ///   - hashesEvery: After how many mutations a hash of the state is recorded, and also for the
  ///     last mutation of the recording; 0 for never. With the hashes, a replay finds where
  ///     `reduce` makes another state. Each hash costs one encoding of the state.
  ///   - codec: Encodes actions and mutations.
  ///   - clock: The clock that measures the times of actions and mutations.
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

  /// Stops recording; what has been recorded remains available.
  public func stop() { registration.remove() }

  /// The recording so far; `nil` before the reactor's first turn.
  public var segment: RecordedSegment<R>? { observer.ring.withLock { $0.segment } }

  private static func stopwatch(_ clock: some Clock<Duration>) -> @Sendable () -> Duration {
    let begun = clock.now
    return { begun.duration(to: clock.now) }
  }
}

/// Adds the steps of one reactor to the ring.
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

  var needs: ObserverNeeds { [.taken, .mutations, .lifecycle, .causes] }

  func observe(_ step: ReactorStep) {
    let time = elapsed()
    ring.withLock { $0.note(step, at: time) }
  }
}
