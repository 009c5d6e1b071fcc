/// What adding an observer or a stage returns: the way to remove it again.
///
/// What was added stays until ``remove()`` is called, whether this is kept or not.
public struct Registration: Sendable {
  private let removal: @Sendable () -> Void

  init(_ removal: @escaping @Sendable () -> Void) { self.removal = removal }

  /// Removes what was added; safe from any thread, and a second time.
  ///
  /// **An observer** is told of nothing that happens after this. Work that is under way ends
  /// without a step for it: what the observer counts or keeps open until then, such as a meter of
  /// running effects or a span, stays so, also when it is added again.
  ///
  /// **A stage** is passed by no action that is taken after this.
  public func remove() { removal() }
}
