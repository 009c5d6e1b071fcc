import Reactor
import ReactorRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads and writes descriptors; interrupted calls are repeated.
package enum Descriptors {
  /// Held until a new descriptor is closed in children, and while a child is started.
  static let inheritance = Guarded(())

  /// Makes a pipe; children inherit neither of its ends.
  package static func pipe() throws -> (read: Int32, write: Int32) {
    try inheritance.withLock { _ in
      var ends: [Int32] = [-1, -1]
      guard makePipe(&ends) == 0 else {
        throw TerminalFailure("no pipe: the limit of open files is reached")
      }
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      return (ends[0], ends[1])
    }
  }

  /// Waits for bytes, and returns what has arrived; nil at the end.
  package static func readSome(_ descriptor: Int32) -> [UInt8]? {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = read(descriptor, &buffer, buffer.count)
      if count > 0 { return Array(buffer[..<count]) }
      if count == 0 || errno != EINTR { return nil }
    }
  }

  static func readAll(_ descriptor: Int32) -> [UInt8] {
    var bytes: [UInt8] = []
    while let more = readSome(descriptor) { bytes += more }
    return bytes
  }

  /// Writes everything, or as much as the other end takes.
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
      if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { return }
    }
  }

  /// Writing to a child that has ended must not end the tests.
  static let ignoresBrokenPipes: Void = { signal(SIGPIPE, SIG_IGN) }()
}

/// `pipe`, which the method of that name hides.
private func makePipe(_ ends: inout [Int32]) -> Int32 {
  pipe(&ends)
}
