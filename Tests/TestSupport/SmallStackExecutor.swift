import Reactor
import ReactorRuntime

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// An executor with a thread of its own, whose stack is as large as the test says.
///
/// Holds: `jobs`, guarded by its own lock.
package final class SmallStackExecutor: SerialExecutor {
  private let jobs = Guarded((waiting: [UnownedJob](), isOver: false))
  private let wakeUp: SemaphoreBox

  /// - Parameter bytes: How large the stack is.
  package init(stack bytes: Int) {
    wakeUp = SemaphoreBox()
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    // Nothing waits for its end.
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    let isSet = pthread_attr_setstacksize(&attributes, bytes)
    precondition(isSet == 0, "no stack of \(bytes) bytes: \(isSet)")
    #if canImport(Darwin)
      var thread: pthread_t?
    #else
      var thread = pthread_t()
    #endif
    let run: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { raw in
      guard let raw else { return nil }
      Unmanaged<SmallStackExecutor>.fromOpaque(raw).takeRetainedValue().run()
      return nil
    }
    #if canImport(Darwin)
      pthread_create(&thread, &attributes, { run($0) }, Unmanaged.passRetained(self).toOpaque())
    #else
      pthread_create(&thread, &attributes, run, Unmanaged.passRetained(self).toOpaque())
    #endif
    pthread_attr_destroy(&attributes)
  }

  package func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    jobs.withLock { $0.waiting.append(job) }
    wakeUp.signal()
  }

  package func asUnownedSerialExecutor() -> UnownedSerialExecutor {
    UnownedSerialExecutor(ordinary: self)
  }

  /// The thread ends when nothing waits.
  package func stop() {
    jobs.withLock { $0.isOver = true }
    wakeUp.signal()
  }

  private func run() {
    while true {
      wakeUp.wait()
      let (job, isOver) = jobs.withLock { jobs in
        (jobs.waiting.isEmpty ? nil : jobs.waiting.removeFirst(), jobs.isOver)
      }
      if let job {
        job.runSynchronously(on: asUnownedSerialExecutor())
      } else if isOver {
        return
      }
    }
  }
}

/// Counts the permits of waiting threads.
///
/// Guard of what it points to: the system's, a semaphore being made for many threads.
final class SemaphoreBox: Sendable {
  private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func signal() { sem_post(semaphore) }

  func wait() { while sem_wait(semaphore) != 0 {} }
}
