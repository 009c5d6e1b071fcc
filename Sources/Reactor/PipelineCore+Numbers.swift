/// What is known of actions by their numbers: which one is being taken, which were cancelled before
/// their turns, and from which one on somebody waits.
extension PipelineCore {
  // MARK: The turn under way

  /// The action that is being taken now.
  @inlinable var taking: UInt64? {
    guard own.isTaking else { return nil }
    guard !Self.hasTurnHook else { return details.taking }
    return Self.hasLanes ? own.details?.pointee.taking ?? own.taken &- 1 : own.taken &- 1
  }

  /// A number for an action that nobody sent: a hook made it.
  @inlinable
  func numberForUnsent() -> UInt64 {
    details.unsent &+= 1
    return UnsentNumber.first | details.unsent
  }

  // MARK: Cancelled

  /// The action is not to be taken, or what its turn still leads to is to be left out.
  @usableFromInline
  func skip(_ number: UInt64) {
    details.skipped.insert(number)
    decideWhetherToLook()
  }

  /// Has each action looked at before it is taken, as long as there is a reason to: the one place
  /// that knows which there are.
  @usableFromInline
  func decideWhetherToLook() {
    own.looksAtEach = !details.skipped.isEmpty || details.middleware != nil
  }

  @usableFromInline
  func isSkipped(_ number: UInt64) -> Bool { details.skipped.contains(number) }

  /// Notes that an action has ended as cancelled, if it is not to be taken, or was cancelled in its
  /// turn.
  ///
  /// - Returns: Whether that is so.
  @usableFromInline
  func endIfSkipped(_ number: UInt64) -> Bool {
    defer { decideWhetherToLook() }
    guard details.skipped.remove(number) != nil else { return false }
    note(.cancelled, of: number)
    return true
  }

  // MARK: Awaited

  /// Looks, after each turn from this action's on, for those who wait.
  @inlinable
  func watch(for number: UInt64) {
    parts.pointee.awaited = min(parts.pointee.awaited, number)
    own.isAwaited = true
  }
}
