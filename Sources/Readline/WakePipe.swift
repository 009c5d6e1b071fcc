#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A pipe within the process, so that a thread that waits in `poll` also receives wake-ups and
/// signals.
final class WakePipe: Sendable {
  /// The descriptor that `poll` waits on.
  let readEnd: Int32
  /// The descriptor to write to: a signal's number as one byte, or 0 for a plain wake-up.
  let writeEnd: Int32

  init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    // Standard input may be closed: the pipe must not get its number.
    let moved = ends.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
    ends.forEach { _ = close($0) }
    (readEnd, writeEnd) = (moved[0], moved[1])
    for end in moved { _ = fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK) }
    if moved.contains(where: { $0 < 0 }) { return nil }
  }

  deinit {
    _ = close(readEnd)
    _ = close(writeEnd)
  }

  func wake() {
    var byte: UInt8 = 0
    // A full pipe wakes the reader already.
    _ = write(writeEnd, &byte, 1)
  }

  /// Returns the signals that arrived since the last call, in order.
  func drain() -> [Int32] {
    var bytes = [UInt8](repeating: 0, count: 256)
    var signals: [Int32] = []
    while true {
      let count = read(readEnd, &bytes, bytes.count)
      guard count > 0 else { return signals }
      signals += bytes[..<count].filter { $0 != 0 }.map(Int32.init)
    }
  }
}

extension WakePipe {
  /// What has ended a wait; neither of the two if the time limit was reached.
  struct Wake {
    var isWoken: Bool
    var hasInput: Bool
  }

  /// Waits for a wake-up and, if requested, for standard input.
  func wait(forInput: Bool, atMost milliseconds: Int32 = -1) -> Wake {
    var waits = [
      pollfd(fd: readEnd, events: Int16(POLLIN), revents: 0),
      pollfd(fd: forInput ? STDIN_FILENO : -1, events: Int16(POLLIN), revents: 0),
    ]
    while true {
      if poll(&waits, nfds_t(waits.count), milliseconds) >= 0 {
        return Wake(isWoken: waits[0].revents != 0, hasInput: waits[1].revents != 0)
      }
    }
  }
}
