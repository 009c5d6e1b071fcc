/// How many events a stream keeps that have not been asked for.
///
/// See ``EventStream/buffering(last:)``.
enum EventBuffering: Sendable {
  case unlimited
  case first(Int)
  case last(Int)

  var isLimited: Bool { if case .unlimited = self { false } else { true } }
}
