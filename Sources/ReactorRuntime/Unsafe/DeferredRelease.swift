#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// Releases a chain of values in a loop; the default would be a nested call for each of them.
///
/// Up to a limit, values are released within one another. Those that are nested deeper are set
/// aside, and released once the outermost release on the thread continues.
///
/// **Why it is sound**: each thread reads its own pointer, to a list in the frame of its outermost
/// release, which resets the pointer before it returns. No release suspends, so everything that it
/// calls is on its thread.
///
/// **What would break it**: a pointer that is kept beyond the outermost release.
enum DeferredRelease {
  private struct Releases {
    /// How many releases are nested in the outermost one.
    var depth = 0
    var waiting: [Any] = []
  }

  private static let limit = 16

  #if canImport(Darwin) || canImport(Glibc) || canImport(Musl) || canImport(Android)
    private static let key: pthread_key_t? = {
      var key = pthread_key_t()
      return pthread_key_create(&key, nil) == 0 ? key : nil
    }()

    /// Releases a value now, or once the outermost release on this thread continues.
    static func release<Value>(_ value: inout Value?) {
      guard let key else { return value = nil }
      if let outermost = pthread_getspecific(key) {
        return release(&value, within: outermost.assumingMemoryBound(to: Releases.self))
      }
      var releases = Releases()
      withUnsafeMutablePointer(to: &releases) { releases in
        pthread_setspecific(key, releases)
        clear(&value)
        while !releases.pointee.waiting.isEmpty { releaseLast(releases) }
        pthread_setspecific(key, nil)
      }
    }
  #else
    static func release<Value>(_ value: inout Value?) { value = nil }
  #endif

  private static func release<Value>(
    _ value: inout Value?, within releases: UnsafeMutablePointer<Releases>
  ) {
    guard releases.pointee.depth < limit else {
      if let value = value.take() { releases.pointee.waiting.append(value) }
      return
    }
    releases.pointee.depth += 1
    clear(&value)
    releases.pointee.depth -= 1
  }

  // Not inlined: the optimizer would release a value later than written here, when the depth has
  // already decreased. The locals of a function are released before it returns.

  @inline(never)
  private static func clear<Value>(_ value: inout Value?) { value = nil }

  @inline(never)
  private static func releaseLast(_ releases: UnsafeMutablePointer<Releases>) {
    let last = releases.pointee.waiting.popLast()
    withExtendedLifetime(last) {}
  }
}

/// A value that may contain others of its type, nested as deeply as a program nests them.
///
/// Guard of `storage`: written by `init` and `deinit` alone.
package final class Nested<Value: Sendable>: Sendable {
  private nonisolated(unsafe) var storage: Value?

  package var value: Value { storage.unsafelyUnwrapped }

  package init(_ value: Value) { storage = value }

  deinit { DeferredRelease.release(&storage) }
}
