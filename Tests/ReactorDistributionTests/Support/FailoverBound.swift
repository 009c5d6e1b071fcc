import Foundation

/// How long it takes at most until another host answers for one that was killed, with a lease
/// of five seconds.
enum FailoverBound {
  /// Seven seconds: the rest of the lease, and two for finding that out, taking and recovering.
  ///
  /// Where hosts, clients and the server share two processors, all of that waits for them too: four
  /// seconds more is what can honestly be promised of every single kill there.
  static let time: Duration =
    ProcessInfo.processInfo.activeProcessorCount > 2 ? .seconds(7) : .seconds(11)
}
