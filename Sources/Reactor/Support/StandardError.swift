#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The process's standard error, and a thread to write to it: what the library needs the platform's
/// C library for, beside ``SystemTime``.
///
/// See `docs/decisions/0002-standard-error.md`, and `0018-reports.md` for the thread.
enum StandardError {}

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  extension StandardError {
    /// Writes one whole line in one call where the system allows, so that lines do not mix.
    ///
    /// It waits for as long as nobody reads.
    static func write(line: String) {
      var rest = Array((line + "\n").utf8)[...]
      while !rest.isEmpty {
        let written = rest.withUnsafeBytes { platformWrite($0.baseAddress, $0.count) }
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

    private static func platformWrite(_ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
      #if canImport(Darwin)
        Darwin.write(STDERR_FILENO, bytes, count)
      #elseif canImport(Glibc)
        Glibc.write(STDERR_FILENO, bytes, count)
      #elseif canImport(Musl)
        Musl.write(STDERR_FILENO, bytes, count)
      #else
        Android.write(STDERR_FILENO, bytes, count)
      #endif
    }

    /// Has what has been reported written before the process ends by `exit`, or by the end of
    /// `main`.
    static func atExit(_ body: @convention(c) () -> Void) { atexit(body) }

    /// Starts a thread that lasts as long as the process.
    ///
    /// It gets no signals: they are the program's. So a reader that is gone, too, is an error for
    /// `write`, which passes it over, and not the end of the process.
    ///
    /// - Returns: Whether there is one; not where the system's limit is reached.
    static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
      withoutSignals { makeThread(ThreadBody(run: body)) }
    }

    private static func withoutSignals(_ body: () -> Bool) -> Bool {
      var all = sigset_t()
      var before = sigset_t()
      sigfillset(&all)
      pthread_sigmask(SIG_SETMASK, &all, &before)
      let result = body()
      pthread_sigmask(SIG_SETMASK, &before, nil)
      return result
    }

    private static func makeThread(_ body: ThreadBody) -> Bool {
      let context = Unmanaged.passRetained(body).toOpaque()
      #if canImport(Darwin)
        var thread: pthread_t?
        let status = pthread_create(&thread, nil, { StandardError.main($0) }, context)
        if let thread { pthread_detach(thread) }
      #else
        var thread = pthread_t()
        let status = pthread_create(&thread, nil, { $0.flatMap(StandardError.main) }, context)
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
  }

  /// A lock at which threads can wait for news; for those that are not Swift's, which must not be
  /// blocked.
  ///
  /// `@unchecked`, because it holds pointers. Guard: the C library, whose own they are.
  final class Monitor: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let news = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    init() {
      mutex.initialize(to: pthread_mutex_t())
      news.initialize(to: pthread_cond_t())
      pthread_mutex_init(mutex, nil)
      pthread_cond_init(news, nil)
    }

    deinit {
      pthread_cond_destroy(news)
      pthread_mutex_destroy(mutex)
      news.deallocate()
      mutex.deallocate()
    }

    func withLock<Result>(_ body: () -> Result) -> Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return body()
    }

    /// Wakes all who wait.
    func wakeAll() { pthread_cond_broadcast(news) }

    /// Waits for news, with the lock, which others may have meanwhile; it may also return for no
    /// reason.
    ///
    /// - Parameter end: When to stop waiting; `nil` for never.
    func wait(until end: ContinuousClock.Instant?) {
      guard let end else {
        pthread_cond_wait(news, mutex)
        return
      }
      let (seconds, attoseconds) = max(.zero, ContinuousClock.now.duration(to: end)).components
      var time = timespec()
      clock_gettime(CLOCK_REALTIME, &time)
      let nanoseconds = time.tv_nsec + Int(attoseconds / 1_000_000_000)
      time.tv_sec += time_t(seconds) + nanoseconds / 1_000_000_000
      time.tv_nsec = nanoseconds % 1_000_000_000
      pthread_cond_timedwait(news, mutex, &time)
    }
  }
#else
  // Nowhere to write to: reports go to handlers only.
  extension StandardError {
    static func write(line: String) {}
    static func atExit() {}
    static func startThread(_ body: @escaping @Sendable () -> Void) -> Bool { false }
  }

  final class Monitor: Sendable {
    private let guarded = Guarded(())
    func withLock<Result>(_ body: () -> Result) -> Result { guarded.withLock { _ in body() } }
    func wakeAll() {}
    func wait(until end: ContinuousClock.Instant?) {}
  }
#endif
