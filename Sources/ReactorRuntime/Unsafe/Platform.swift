#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

// What the library uses of the platform's C library, besides ``DeferredRelease``.

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  /// The process's standard error.
  ///
  /// See `docs/decisions/0002-standard-error.md`.
  package enum StandardError {
    /// Writes one whole line in one call where the system allows it, so that lines are not
    /// interleaved.
    ///
    /// It blocks for as long as the line is not read.
    package static func write(line: String) {
      var rest = Array((line + "\n").utf8)[...]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes(writeToStandardError)
        if written > 0 {
          rest.removeFirst(written)
        } else if written < 0, errno == EAGAIN {
          // The descriptor has been made non-blocking.
          var readiness = pollfd(fd: STDERR_FILENO, events: Int16(POLLOUT), revents: 0)
          poll(&readiness, 1, -1)
        } else if written == 0 || errno != EINTR {
          return
        }
      }
    }

    /// Registers a function that writes the pending reports before the process ends by `exit` or by
    /// the end of `main`.
    package static func atExit(_ body: @convention(c) () -> Void) { atexit(body) }
  }

  private func writeToStandardError(_ bytes: UnsafeRawBufferPointer) -> Int {
    write(STDERR_FILENO, bytes.baseAddress, bytes.count)
  }

  /// The system's clock that continues while the system sleeps.
  enum SystemTime {
    #if canImport(Darwin)
      private static let clock = CLOCK_MONOTONIC_RAW
    #else
      private static let clock = CLOCK_BOOTTIME
    #endif

    /// Nanoseconds since the system booted.
    static var now: Int64 {
      var time = timespec()
      clock_gettime(clock, &time)
      return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
  }

  /// A thread of the system, not one of Swift's, which therefore may block until its output is
  /// read.
  ///
  /// Only the writer of reports uses it. See `docs/decisions/0018-reports.md`.
  ///
  /// **Why it is sound**: the body of the thread is retained once for it, and released by the
  /// thread, or here if there is no thread.
  package enum SystemThread {
    /// Starts a thread.
    ///
    /// It receives no signals: they belong to the program. So if the reading end of a pipe is
    /// closed, `write` returns an error, which is ignored, and the process does not end.
    ///
    /// - Returns: Whether the thread was started; false if the system's limit is reached.
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
      var all = sigset_t()
      var before = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &before)
      defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
      let context = Unmanaged.passRetained(ThreadBody(run: body)).toOpaque()
      #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(&thread, nil, { SystemThread.main($0) }, context)
        if let thread { pthread_detach(thread) }
      #else
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, { $0.flatMap(SystemThread.main) }, context)
        if status == 0 { pthread_detach(thread) }
      #endif
      if status != 0 { Unmanaged<ThreadBody>.fromOpaque(context).release() }
      return status == 0
    }

    private static func main(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
      Unmanaged<ThreadBody>.fromOpaque(context).takeRetainedValue().run()
      return nil
    }

    private final class ThreadBody: Sendable {
      let run: @Sendable () -> Void
      init(run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// Blocks the caller's thread for two milliseconds; must not be called on a thread of Swift's.
    package static func pause() { usleep(2_000) }
  }
#else
  // There is nowhere to write to: reports are passed to handlers only. There are no threads, so
  // nothing ever waits.
  package enum StandardError {
    package static func write(line: String) {}
    package static func atExit(_ body: () -> Void) {}
  }

  enum SystemTime {
    private static let origin = ContinuousClock.now
    static var now: Int64 { WorkTime.nanoseconds(origin.duration(to: .now)) }
  }

  package enum SystemThread {
    package static func start(_ body: @escaping @Sendable () -> Void) -> Bool { false }
    package static func pause() {}
  }
#endif
