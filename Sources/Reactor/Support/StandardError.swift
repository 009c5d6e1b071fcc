#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The process's standard error: what the library needs the platform's C library for, beside
/// ``SystemTime`` and ``SystemThread``.
///
/// See `docs/decisions/0002-standard-error.md`.
enum StandardError {}

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  extension StandardError {
    /// Writes one whole line in one call where the system allows, so that lines do not mix.
    ///
    /// It waits for as long as nobody reads.
    static func write(line: String) {
      var rest = Array((line + "\n").utf8)[...]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { bytes in
          #if canImport(Darwin)
            return Darwin.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
          #elseif canImport(Glibc)
            return Glibc.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
          #elseif canImport(Musl)
            return Musl.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
          #else
            return Android.write(STDERR_FILENO, bytes.baseAddress, bytes.count)
          #endif
        }
        if written > 0 {
          rest.removeFirst(written)
        } else if written < 0, errno == EAGAIN {
          // Somebody has made it non-blocking.
          var readiness = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
          poll(&readiness, 1, -1)
        } else if written == 0 || errno != EINTR {
          return
        }
      }
    }

    /// Has what has been reported written before the process ends by `exit`, or by the end of
    /// `main`.
    static func atExit(_ body: @convention(c) () -> Void) { atexit(body) }
  }
#else
  // Nowhere to write to: reports go to handlers only.
  extension StandardError {
    static func write(line: String) {}
    static func atExit(_ body: () -> Void) {}
  }
#endif
