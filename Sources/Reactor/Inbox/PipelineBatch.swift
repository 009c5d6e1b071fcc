import ReactorRuntime

/// Actions that were sent as one, by their numbers.
@usableFromInline
struct PipelineBatch: Sendable {
  let range: Range<UInt64>
  /// Whether the first of them has been taken.
  var isHeld = false
  /// Whether there is something to show.
  var hasStates = false
  /// Observers that have come while states are kept back.
  var newcomers: [Latch] = []

  init(_ range: Range<UInt64>) { self.range = range }
}
