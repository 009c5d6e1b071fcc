import ReactorRuntime

/// Actions that were sent together, by their numbers.
@usableFromInline
struct PipelineBatch: Sendable {
  let range: Range<UInt64>
  /// Whether the first of them has been taken.
  var isHeld = false
  /// Whether states have been held back that have to be shown at the end.
  var hasStates = false
  /// The latches of observers that were added while states are held back.
  var waitingSubscribers: [Latch] = []

  init(_ range: Range<UInt64>) { self.range = range }
}
