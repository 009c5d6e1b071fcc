import ReactorJournal

/// The rules for the keys of reactors.
///
/// A key is compared by Swift, which considers different Unicode forms of `é` equal, and by the
/// database and the placement hash, which compare bytes. So every key is converted to one form.
enum ClusterKey {
  /// The size in bytes that certainly fits into the indices of the database.
  static let limit = 1_024

  /// Returns the canonical form of a key.
  static func normal(_ id: String) -> String { CanonicalText.of(id) }

  /// Checks a key.
  ///
  /// - Throws: ``ClusterError/wrongKey(_:)`` if no store could store it.
  static func check(_ id: String) throws {
    guard !id.utf8.contains(0) else {
      throw ClusterError.wrongKey("a reactor's key has no NUL in it")
    }
    guard id.utf8.count <= limit else {
      throw ClusterError.wrongKey(
        "a reactor's key has \(limit) bytes at most, and not \(id.utf8.count)")
    }
  }
}
