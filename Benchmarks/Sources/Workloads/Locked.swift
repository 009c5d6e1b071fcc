import Synchronization

/// An object that is for one thread, behind a lock, so that several may use it.
final class Locked<Object: AnyObject>: @unchecked Sendable {
  // Guarded by `lock`: the object is reached by `use` alone.
  private let object: Object
  private let lock = Mutex(())

  init(_ object: sending Object) { self.object = object }

  func use(_ body: (Object) -> Void) { lock.withLock { _ in body(object) } }
}
