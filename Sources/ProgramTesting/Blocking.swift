#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Blocking calls, on threads of their own: Swift's thread pool has too few threads for them.
enum Blocking {
  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }

  /// Starts a thread, and does not wait for its end.
  static func thread(_ body: @escaping @Sendable () -> Void) {
    let context = Unmanaged.passRetained(Body(run: body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let status = pthread_create(&thread, nil, { Blocking.main($0) }, context)
      if let thread { pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let status = pthread_create(&thread, nil, { $0.flatMap(Blocking.main) }, context)
      pthread_detach(thread)
    #endif
    precondition(status == 0, "No thread for a test: the system's limit is reached.")
  }

  /// The result of a call that blocks.
  static func result<Value: Sendable>(of body: @escaping @Sendable () -> Value) async -> Value {
    await withCheckedContinuation { continuation in
      thread { continuation.resume(returning: body()) }
    }
  }

  private static func main(_ context: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
    return nil
  }
}
