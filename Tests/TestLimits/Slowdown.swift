import Foundation

/// How many times as long this process takes because other processes use the processors.
///
/// It is the time for which the threads ran, and waited for a processor, by the time for which they
/// ran. The system counts both for each thread.
package struct Slowdown {
  /// Nanoseconds that a thread has run, and waited for a processor.
  package typealias Times = (ran: UInt64, waited: UInt64)

  /// So many times as long at the most.
  package static let most = 10.0

  private var last: [String: Times] = [:]

  package init() {}

  /// The ratio since the last call, by what each thread has counted since it began.
  ///
  /// - Returns: 1 if nothing ran; never more than ``most``.
  package mutating func next(_ threads: [String: Times]) -> Double {
    var (ran, waited) = (0.0, 0.0)
    for (thread, times) in threads {
      let before = last[thread] ?? (0, 0)
      // A thread may have the number of one that has ended.
      ran += Double(times.ran - min(before.ran, times.ran))
      waited += Double(times.waited - min(before.waited, times.waited))
    }
    last = threads
    return ran > 0 ? min((ran + waited) / ran, Self.most) : 1
  }

  /// As ``next(_:)``, of the threads of this process; 1 where the system does not count.
  mutating func next() -> Double {
    let folder = "/proc/self/task"
    var threads: [String: Times] = [:]
    for thread in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
      let text = try? String(contentsOfFile: "\(folder)/\(thread)/schedstat", encoding: .utf8)
      let numbers = text?.split(whereSeparator: \.isWhitespace).compactMap { UInt64($0) } ?? []
      if numbers.count >= 2 { threads[thread] = (numbers[0], numbers[1]) }
    }
    return next(threads)
  }
}
