import Reactor
import ReactorRuntime

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Locks of the operating system, one for each journal in a file: a byte of a file beside it.
///
/// The system releases them when the process ends in any way; no time is measured. They belong to
/// the file descriptor, not to the process, so two stores in one process exclude each other like
/// two processes.
///
/// Holds: a file descriptor, which is closed in `deinit`, and that releases every lock.
final class OwnerLocks: Sendable {
  private let descriptor: Int32
  /// The locked bytes; the system would let one descriptor lock a byte twice.
  private let taken = Guarded<Set<Int64>>([])

  /// Opens or creates the file.
  ///
  /// - Throws: ``SystemFailure`` if the file cannot be opened.
  init(path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw SystemFailure(code: errno) }
  }

  deinit { close(descriptor) }

  /// Locks a byte.
  ///
  /// - Returns: Whether the byte is locked now; false if another owner has locked it.
  func lock(_ byte: Int64) throws -> Bool {
    try taken.withLock { taken in
      if taken.contains(byte) { return false }
      if set(byte, Int16(F_WRLCK)) == 0 {
        taken.insert(byte)
        return true
      }
      if errno == EACCES || errno == EAGAIN { return false }
      throw SystemFailure(code: errno)
    }
  }

  func unlock(_ byte: Int64) {
    taken.withLock { taken in
      if taken.remove(byte) != nil { _ = set(byte, Int16(F_UNLCK)) }
    }
  }

  private func set(_ byte: Int64, _ type: Int16) -> Int32 {
    var lock = flock()
    lock.l_type = type
    lock.l_whence = Int16(SEEK_SET)
    lock.l_start = off_t(byte)
    lock.l_len = 1
    return fcntl(descriptor, Self.setOpenFileLock, &lock)
  }

  /// The value of `F_OFD_SETLK`, which is not imported on all platforms.
  private static var setOpenFileLock: Int32 {
    #if canImport(Darwin)
      90
    #else
      37
    #endif
  }
}

/// A system call failed.
struct SystemFailure: Error, CustomStringConvertible {
  let code: Int32

  var description: String { String(cString: strerror(code)) }
}
