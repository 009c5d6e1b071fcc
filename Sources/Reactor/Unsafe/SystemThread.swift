#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A thread that is the system's, not one of Swift's, and so may wait for a reader.
///
/// It is there for `ReportWriter` alone, which says why. See `docs/decisions/0018-reports.md`.
///
/// **Why it is sound**: what the thread is to run is retained once for it, and released by it, or
/// here where there is no thread.
enum SystemThread {}

#if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
  extension SystemThread {
    /// Starts a thread.
    ///
    /// It gets no signals: they are the program's. So a reader that is gone, too, is an error for
    /// `write`, which passes it over, and not the end of the process.
    ///
    /// - Returns: Whether there is one; not where the system's limit is reached.
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
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

    /// Has the caller's thread wait for two milliseconds; never one of Swift's.
    static func pause() { usleep(2_000) }
  }
#else
  // No threads: nothing ever waits.
  extension SystemThread {
    static func start(_ body: @escaping @Sendable () -> Void) -> Bool { false }
    static func pause() {}
  }
#endif
