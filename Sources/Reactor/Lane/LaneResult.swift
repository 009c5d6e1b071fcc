/// What `lane(for:)` may return: a `Lane`, or a `Lane?`; ``LanedReactor`` asks for the second.
///
/// Which of these it is, or that there is no `lane(for:)` at all, is known where the reactor's type
/// is, so that a reactor without lanes has no code for them.
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

/// What a reactor that writes no `lane(for:)` returns: no action has a lane.
public struct _NoLane: _LaneResult {
  @inlinable
  init() {}

  /// None.
  @inlinable public var _lane: Lane? { nil }
}
