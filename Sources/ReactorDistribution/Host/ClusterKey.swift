import ReactorJournal

/// What reactors may be called.
///
/// A key is compared in three places: by Swift, to which two ways of writing `é` are the same; by
/// the database, and by the hash that places it, to which bytes are. So all see it in one form.
enum ClusterKey {
  /// More does not fit into the database's indices for certain.
  static let limit = 1_024

  /// The one form of a key.
  static func normal(_ id: String) -> String { CanonicalText.of(id) }

  /// - Throws: ``ClusterError/wrongKey(_:)`` for what no store could keep.
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
