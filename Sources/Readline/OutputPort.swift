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
  private let failed = Atomic<Int32>(0)

  /// Whether something could not be written to standard output.
  var hasLostOutput: Bool { outputError != 0 }

  /// The error with which a write to standard output failed last; 0 if none did.
  var outputError: Int32 { failed.load(ordering: .relaxed) }

  private init() {}

  /// Writes lines, and returns whether all of them could be written.
  @discardableResult
  func write(_ output: ConsoleOutput) -> Bool {
    turn.withLock { _ in
      let error = output.bytes.withUnsafeBytes {
        Self.write($0, to: output.destination.rawValue)
      }
      if error != 0, output.destination == .output { failed.store(error, ordering: .relaxed) }
      return error == 0
    }
  }

  /// Writes all bytes; returns the error that prevents that, or 0.
  private static func write(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
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
      // Nothing but an error keeps a write from making progress.
      let error = count < 0 ? errno : EIO
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if !canRetry(descriptor, after: error) {
        return error
      }
    }
    return 0
  }

  /// After a failed write: waits if that helps, and ends the program if the reading end was closed.
  private static func canRetry(_ descriptor: Int32, after error: Int32) -> Bool {
    switch error {
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
