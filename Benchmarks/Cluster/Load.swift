import Foundation

/// How long each of many things took.
struct Load: Sendable {
  private var times: [Duration] = []
  private var elapsed = Duration.zero

  mutating func add(_ times: [Duration]) { self.times += times }
  mutating func ended(after time: Duration) { elapsed = time }

  /// `COUNT SECONDS P50 P99`, the last two in milliseconds.
  var line: String {
    let sorted = times.sorted()
    func at(_ part: Double) -> Double {
      sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))] / .milliseconds(1)
    }
    return "did \(sorted.count) \(elapsed / .seconds(1)) \(at(0.5)) \(at(0.99))"
  }

  /// Does something over and over, so many at a time, for some seconds.
  ///
  /// - Parameters:
  ///   - senders: How many at a time.
  ///   - seconds: For how long.
  ///   - body: What is done, by the sender of that number.
  /// - Returns: How long each took.
  /// - Throws: What `body` throws: something that fails measures nothing.
  static func run(
    senders: Int, for seconds: Double, _ body: @escaping @Sendable (Int) async throws -> Void
  ) async throws -> Load {
    let clock = ContinuousClock()
    let begun = clock.now
    let end = begun + .seconds(seconds)
    return try await withThrowingTaskGroup(of: [Duration].self) { group in
      for sender in 0..<senders {
        group.addTask {
          var times: [Duration] = []
          while case let sent = clock.now, sent < end {
            try await body(sender)
            times.append(clock.now - sent)
          }
          return times
        }
      }
      var load = Load()
      for try await times in group { load.add(times) }
      load.ended(after: clock.now - begun)
      return load
    }
  }
}
