/// A hook's sequence, passed from the reactor, which made it, to the one task that iterates it.
///
/// `@unchecked`, because an author's sequence need not be `Sendable`. Guard: the hand-over itself;
/// the reactor makes the sequence, passes it to one task, and never touches it again.
@usableFromInline
struct TransferredSequence<Element: Sendable>: @unchecked Sendable {
  @usableFromInline let loop: (@Sendable (Element) async -> Bool) async -> Bool

  @inlinable
  init<S: AsyncSequence<Element, Never>>(_ sequence: S) {
    loop = { body in
      for await element in sequence {
        guard await body(element) else { return false }
      }
      return true
    }
  }

  /// Iterates until the sequence ends, or the body returns false.
  ///
  /// - Returns: Whether the sequence ended.
  func forEach(_ body: @Sendable (Element) async -> Bool) async -> Bool { await loop(body) }
}
