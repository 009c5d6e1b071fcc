import Synchronization

/// Lines in the order of their arrival.
///
/// Holds: the lines, guarded by its own lock.
final class Lines: Sendable {
  private let lines = Mutex<[String]>([])

  var all: [String] { lines.withLock { $0 } }

  func append(_ line: String) { lines.withLock { $0.append(line) } }
}
