/// Removes an observer or a stage that was added.
///
/// What was added stays until ``remove()`` is called, even if this value is discarded.
public struct Registration: Sendable {
  private let removal: @Sendable () -> Void

  init(_ removal: @escaping @Sendable () -> Void) { self.removal = removal }

  /// Removes what was added; a second call has no effect.
  ///
  /// **Runs on** any thread.
  ///
  /// **An observer** receives nothing that happens after this. Work in progress ends without a step
  /// for it. A value that the observer keeps until then, such as a gauge of running effects or an
  /// open span, therefore stays, also when the observer is added again.
  ///
  /// **A stage** is not called for actions that are taken after this.
  public func remove() { removal() }
}
