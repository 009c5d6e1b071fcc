import Reactor

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

import ReactorRuntime
import Synchronization

/// Writes whole lines to standard output and standard error, one after the other.
final class OutputPort: Sendable {
  /// The port of the process: its lock protects lines only if all writers use the same port.
  static let standard = OutputPort()

  /// Held while a line is written, so that lines of several threads never mix.
  private let turn = Guarded(())
  private let failed = Atomic(false)

  /// Whether something could not be written to standard output.
  var hasLostOutput: Bool { failed.load(ordering: .relaxed) }

  private init() {}

  /// Writes lines, and returns whether all of them could be written.
  @discardableResult
  func write(_ output: ConsoleOutput) -> Bool {
    turn.withLock { _ in
      let isWritten = output.bytes.withUnsafeBytes {
        Self.write($0, to: output.destination.rawValue)
      }
      if !isWritten, output.destination == .output { failed.store(true, ordering: .relaxed) }
      return isWritten
    }
  }

  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let slice = UnsafeRawBufferPointer(rebasing: rest)
      #if canImport(Darwin)
        let count = Darwin.write(descriptor, slice.baseAddress, slice.count)
      #elseif canImport(Glibc)
        let count = Glibc.write(descriptor, slice.baseAddress, slice.count)
      #else
        let count = Musl.write(descriptor, slice.baseAddress, slice.count)
      #endif
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if !canRetry(descriptor) {
        return false
      }
    }
    return true
  }

  /// After a failed write: waits if that helps, and ends the program if the reading end was closed.
  private static func canRetry(_ descriptor: Int32) -> Bool {
    switch errno {
    case EINTR: return true
    case EAGAIN:
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      return poll(&room, 1, -1) >= 0 || errno == EINTR
    case EPIPE:
      // Reached only if SIGPIPE is ignored or relayed: the process ends as a shell expects all the
      // same.
      if !SignalRelay.isActive { EndingSignal.endProcess(by: SIGPIPE) }
      return false
    default: return false
    }
  }
}
