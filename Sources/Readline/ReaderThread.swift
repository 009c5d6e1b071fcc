import Reactor
import ReactorRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A separate thread for work that blocks, which must never run on Swift's thread pool.
final class ReaderThread: Sendable {
  /// The thread's handle until it has been joined; the lock makes every joining caller wait.
  private let handle: Guarded<pthread_t?>

  init(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(Body(run: body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(&thread, nil, { ReaderThread.main($0) }, context)
    #else
      var thread = pthread_t()
      let status = pthread_create(&thread, nil, { $0.flatMap(ReaderThread.main) }, context)
    #endif
    precondition(status == 0, "No thread for the console: the system's limit is reached.")
    handle = Guarded(thread)
  }

  /// Returns when the thread has ended; can be called more than once.
  func join() {
    handle.withLock { handle in
      if let thread = handle { pthread_join(thread, nil) }
      handle = nil
    }
  }

  private static func main(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}
