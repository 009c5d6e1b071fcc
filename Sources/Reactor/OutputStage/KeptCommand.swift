/// What a journal knows of a request that has a key, so that it is done once, however often it
/// comes.
@usableFromInline
package struct KeptCommand: Codable, Hashable, Sendable {
  package enum Standing: Codable, Hashable, Sendable {
    /// Something of it may be kept.
    case begun
    /// It has come to its end; the answer, as text.
    case ended(answer: String)
    /// Nothing came of it: it may be done anew.
    case withdrawn
  }

  /// By which it is known when it comes again.
  package let id: String
  /// A hash of what it asks for.
  package let request: UInt64
  package let standing: Standing

  package init(id: String, request: UInt64, standing: Standing) {
    (self.id, self.request, self.standing) = (id, request, standing)
  }
}

/// What an ``OutputStage`` knows of requests that have a key; any thread.
@usableFromInline
package protocol KeptCommands: Sendable {
  /// What is known of a command that has been kept; `nil` if nothing is.
  func command(_ id: String) async throws -> KeptCommand?

  /// Whether something has been noted of a command that has yet to be kept.
  func hasUnkept(_ id: String) -> Bool

  /// Notes what is known of a command; it is kept with the next mutation, or by `write()`.
  func note(_ command: KeptCommand)

  /// Has what was noted written, and does not wait for that.
  nonisolated(nonsending) func write() async

  /// Whether what is shown waits until it is kept.
  var holdsBack: Bool { get }
}
