import Reactor
import ReactorRuntime

/// What one thread changes and another one waits for.
///
/// Holds: `contents`, guarded by its own lock; waiters are resumed outside it.
final class Watched<Value: Sendable>: Sendable {
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

  /// Reads it, or changes what is not waited for.
  func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    contents.withLock { body(&$0.value) }
  }

  /// Changes it, and has all that wait look once more.
  func change(_ body: (inout Value) -> Void) {
    let waiters = contents.withLock { contents in
      body(&contents.value)
      defer { contents.waiters = IdentityList() }
      return contents.waiters.all
    }
    for waiter in waiters { waiter.continuation.resume(returning: false) }
  }

  /// Returns once it fits, or the task is cancelled.
  ///
  /// - Parameter fits: Asked under the lock, at once and after each change.
  func wait(until fits: @Sendable (Value) -> Bool) async {
    while !Task.isCancelled, await !waitOnce(unless: fits) {}
  }

  /// Returns whether it fits; if not, after the next change.
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
