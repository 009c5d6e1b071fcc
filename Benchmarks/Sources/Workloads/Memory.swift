import CProcess
import Reactor

#if canImport(Glibc)
  import Glibc
#endif

/// What reactors weigh that do nothing.
///
/// Linux with glibc only: elsewhere, there is nothing to ask.
package enum Memory {
  /// Bytes of the heap per reactor, beside its `State`.
  ///
  /// It has that twice: what it begins with, in the author's `let initialState`, and what it is now. Neither
  /// is counted.
  ///
  /// - Parameters:
  ///   - count: How many are made.
  ///   - isUsed: Whether each has taken an action before, and so has started.
  /// - Returns: The bytes; `nil` where the C library does not say.
  package static func bytesPerReactor(_ count: Int, isUsed: Bool) async -> Int? {
    // What is made once, by the first reactors of a process, is not theirs.
    _ = await make(1_000, isUsed: isUsed)
    guard let before = heapInUse else { return nil }
    let reactors = await make(count, isUsed: isUsed)
    guard let after = heapInUse else { return nil }
    // The array that holds them is the measurement's own.
    let own = reactors.capacity * MemoryLayout<Counter>.stride
    defer { withExtendedLifetime(reactors) {} }
    return (after - before - own) / count - 2 * MemoryLayout<Counter.State>.size
  }

  /// Resident bytes of so many reactors that do nothing.
  package static func resident(_ count: Int, isUsed: Bool) async -> Int? {
    guard let before = residentBytes else { return nil }
    let reactors = await make(count, isUsed: isUsed)
    guard let after = residentBytes else { return nil }
    defer { withExtendedLifetime(reactors) {} }
    return after - before
  }

  /// How many threads more than before there are when so many reactors have been used and do nothing.
  package static func threadsOf(_ count: Int) async -> Int? {
    guard let before = status("Threads:") else { return nil }
    let reactors = await make(count, isUsed: true)
    guard let after = status("Threads:") else { return nil }
    defer { withExtendedLifetime(reactors) {} }
    return max(0, after - before)
  }

  /// Reactors that do nothing: no job of theirs is left either, which would hold its reactor.
  package static func make(_ count: Int, isUsed: Bool) async -> [Counter] {
    var reactors: [Counter] = []
    reactors.reserveCapacity(count)
    for index in 0..<count {
      reactors.append(Counter())
      guard isUsed else { continue }
      await reactors[index].send(.increase).settled
      // Now and then, so that jobs do not pile up: memory that was resident once stays so.
      guard index % 100 == 99 || index == count - 1 else { continue }
      for made in (index - index % 100)...index {
        while !isKnownUniquelyReferenced(&reactors[made]) { await Task.yield() }
      }
    }
    return reactors
  }

  private static var heapInUse: Int? {
    let bytes = heap_in_use()
    return bytes < 0 ? nil : bytes
  }

  /// Of this process.
  package static var residentBytes: Int? { status("VmRSS:").map { $0 * 1024 } }

  private static func status(_ key: String) -> Int? {
    #if canImport(Glibc)
      guard let file = fopen("/proc/self/status", "r") else { return nil }
      defer { fclose(file) }
      var line = [CChar](repeating: 0, count: 256)
      while fgets(&line, Int32(line.count), file) != nil {
        let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
        guard text.hasPrefix(key) else { continue }
        return text.split(whereSeparator: { $0 == " " || $0 == "\t" || $0 == "\n" })
          .dropFirst().first.flatMap { Int($0) }
      }
    #endif
    return nil
  }
}
