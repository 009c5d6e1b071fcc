/// The possible results of `lane(for:)`: a `Lane` or a `Lane?`.
///
/// ``LanedReactor`` requires the second.
///
/// Which of them it is, or that there is no `lane(for:)`, is known where the reactor's type is
/// known. So a reactor without lanes has no code for them.
public protocol _LaneResult: Sendable {
  /// The lane, if there is one.
  var _lane: Lane? { get }
}

extension Lane: _LaneResult {
  /// This lane.
  @inlinable public var _lane: Lane? { self }
}

extension Optional: _LaneResult where Wrapped == Lane {
  /// The lane, if there is one.
  @inlinable public var _lane: Lane? { self }
}

/// The result for a reactor without a `lane(for:)`: no action has a lane.
public struct _NoLane: _LaneResult {
  @inlinable
  init() {}

  /// Always `nil`.
  @inlinable public var _lane: Lane? { nil }
}
