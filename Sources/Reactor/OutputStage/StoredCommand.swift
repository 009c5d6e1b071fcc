/// What a journal has stored about a request with an idempotency key, so that the request is
/// carried out once, however often it arrives.
@usableFromInline
package struct StoredCommand: Codable, Hashable, Sendable {
  package enum Standing: Codable, Hashable, Sendable {
    /// Part of what it did may be kept.
    case begun
    /// It has ended; contains the answer, as text.
    case ended(answer: String)
    /// It had no effect, and may be carried out again.
    case withdrawn
  }

  /// The key that identifies the request when it arrives again.
  package let id: String
  /// A hash of the request's contents.
  package let request: UInt64
  package let standing: Standing

  package init(id: String, request: UInt64, standing: Standing) {
    (self.id, self.request, self.standing) = (id, request, standing)
  }
}

/// What an ``OutputStage`` knows about requests with an idempotency key; callable on any thread.
@usableFromInline
package protocol StoredCommands: Sendable {
  /// Returns what is known about a command that has been kept; `nil` if nothing is.
  func command(_ id: String) async throws -> StoredCommand?

  /// Returns whether something was noted about a command that has not been kept yet.
  func hasUnstored(_ id: String) -> Bool

  /// Notes what is known about a command; it is kept with the next mutation, or by `write()`.
  ///
  /// Once a command has begun, the end of a reactor whose work has ended waits for its answer, or
  /// for ``endRequest(_:)``.
  func note(_ command: StoredCommand)

  /// The request that began a command ends; it may have noted no answer.
  func endRequest(_ id: String)

  /// Starts writing what was noted, and does not wait for the write to end.
  nonisolated(nonsending) func write() async

  /// Whether what is shown waits until it is kept.
  var holdsBack: Bool { get }
}
