/// Who waits for more than one action, and what an end has cut short.
///
/// Guard: the lock of the ``WorkLedger`` it belongs to.
@usableFromInline
struct StopBook: Emptiable {
  /// Waiters for a moment at which nothing is open.
  var idleWaiters = IdentityList<Latch>()
  /// Waiters for the moment at which what is cut short is known.
  var endWaiters = IdentityList<Latch>()
  /// Waiters for the end of everything, once the reactor has stopped.
  var stopWaiters = IdentityList<Latch>()
  /// The life that was ended last, and what that has cut short.
  var life: UInt32 = 0
  var abandoned: [OpenAction] = []

  @usableFromInline
  init() {}

  @usableFromInline var isEmpty: Bool {
    idleWaiters.isEmpty && endWaiters.isEmpty && stopWaiters.isEmpty && abandoned.isEmpty
  }
}
