import Reactor
import ReactorRuntime

/// A value that one thread changes and another waits for.
///
/// Holds: `contents`, guarded by its own lock; waiting tasks are resumed outside it.
final class AwaitableValue<Value: Sendable>: Sendable {
  private struct Contents: Sendable {
    var value: Value
    var waiters = IdentityList<Waiter>()
    var lastID = 0
  }

  private struct Waiter: Identifiable, Sendable {
    let id: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  private let contents: Guarded<Contents>

  init(_ value: Value) { contents = Guarded(Contents(value: value)) }

  /// Reads the value, or changes a part that no task waits for.
  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    contents.withLock { body(&$0.value) }
  }

  /// Changes the value, and has all waiting tasks check it again.
  func change(_ body: (inout Value) -> Void) {
    let waiters = contents.withLock { contents in
      body(&contents.value)
      defer { contents.waiters = IdentityList() }
      return contents.waiters.all
    }
    for waiter in waiters { waiter.continuation.resume(returning: false) }
  }

  /// Returns when the value fits, or when the task is cancelled.
  ///
  /// - Parameter fits: Called under the lock, at once and after each change.
  func wait(until fits: @Sendable (Value) -> Bool) async {
    while !Task.isCancelled, await !waitOnce(unless: fits) {}
  }

  /// Returns whether the value fits; if not, after the next change.
  private func waitOnce(unless fits: @Sendable (Value) -> Bool) async -> Bool {
    let id = contents.withLock { contents in
      contents.lastID += 1
      return contents.lastID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer = contents.withLock { contents -> Bool? in
          let fits = fits(contents.value)
          if fits || Task.isCancelled { return fits }
          contents.waiters.append(Waiter(id: id, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      contents.withLock { $0.waiters.remove(id) }?.continuation.resume(returning: false)
    }
  }
}
