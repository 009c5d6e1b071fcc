/// Something to be told once a reactor has come so far.
///
/// This is all that a pipeline knows of groups: who sends to several reactors leaves one here, in
/// the same breath in which its action is accepted. The reactor looks for them where it looks for
/// whatever other threads have left, so that one who has none pays nothing.
@usableFromInline
struct Milestone<State: Sendable>: Sendable {
  /// What there is to see between two turns.
  @usableFromInline
  struct View: Sendable {
    let state: State
    let version: UInt64
  }

  /// How many actions must have had their turns.
  let number: UInt64
  /// Called once, on the reactor and under no lock.
  ///
  /// That is between the turn of the last of those actions and the next; with `nil`, on any thread,
  /// once the reactor is gone.
  let reached: @Sendable (View?) -> Void

  @usableFromInline
  init(number: UInt64, reached: @escaping @Sendable (View?) -> Void) {
    self.number = number
    self.reached = reached
  }
}

/// A reactor's place among others, which the pipeline keeps without knowing what it is.
protocol PipelineSeat: AnyObject, Sendable {
  /// Called once, on any thread and under no lock.
  func reactorIsGone()
}

/// Where a pipeline finds the seat, which it does not hold.
final class SeatPlace: Sendable {
  weak let seat: (any PipelineSeat)?

  init(_ seat: any PipelineSeat) { self.seat = seat }
}
