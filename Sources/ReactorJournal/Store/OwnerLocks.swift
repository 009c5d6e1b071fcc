import Reactor
import ReactorRuntime

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// One lock of the operating system for each journal in a file: a byte of a file beside it.
///
/// The system frees them when the process is gone, however it went; nothing here measures time.
/// They belong to the opened file, not to the process, so that two stores in one process exclude
/// each other as two processes do.
///
/// Holds: a file descriptor, which is closed when this goes, and with it every lock.
final class OwnerLocks: Sendable {
  private let descriptor: Int32
  /// The bytes locked here: the system lets one descriptor lock a byte twice.
  private let taken = Guarded<Set<Int64>>([])

  /// - Throws: ``SystemFailure`` where the file cannot be opened.
  init(path: String) throws {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
    if descriptor < 0 { throw SystemFailure(code: errno) }
  }

  deinit { close(descriptor) }

  /// - Returns: Whether the byte has become this one's; false where another owner has it.
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

  /// `F_OFD_SETLK`, which is not imported everywhere.
  private static var setOpenFileLock: Int32 {
    #if canImport(Darwin)
      90
    #else
      37
    #endif
  }
}

/// A call to the system that failed.
struct SystemFailure: Error, CustomStringConvertible {
  let code: Int32

  var description: String { String(cString: strerror(code)) }
}
