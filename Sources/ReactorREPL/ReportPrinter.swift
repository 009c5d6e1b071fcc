import ReactorRuntime

/// Prints reports: the first of several identical ones at once, then at most one line a second with
/// the count of the others.
///
/// Holds: `state`, guarded by its own lock; lines are printed outside it.
final class ReportPrinter: Sendable {
  private struct State: Sendable {
    /// The number of further reports, by text.
    var counts: [String: Int] = [:]
    var hasTask = false
  }

  /// How many texts are counted at a time; further ones are printed each time.
  private static let limit = 256

  private let state = Guarded(State())
  private let clock: any Clock<Duration>
  private let print: @Sendable (String) -> Void

  init(clock: any Clock<Duration>, print: @escaping @Sendable (String) -> Void) {
    self.clock = clock
    self.print = print
  }

  func report(_ text: String) {
    let (isFirst, needsTask) = state.withLock { state -> (Bool, Bool) in
      if let count = state.counts[text] {
        state.counts[text] = count + 1
        return (false, false)
      }
      guard state.counts.count < Self.limit else { return (true, false) }
      state.counts[text] = 0
      defer { state.hasTask = true }
      return (true, !state.hasTask)
    }
    if isFirst { print(text) }
    if needsTask { PipelineTasks.inheriting { await printCounts() } }
  }

  /// Prints the counts until now; the next report of each text is printed at once.
  func flush() {
    printCounts(
      of: state.withLock { state in
        defer { state.counts = [:] }
        return state.counts
      })
  }

  /// Prints the counts each second, until there are none.
  private func printCounts() async {
    while true {
      try? await clock.sleep(for: .seconds(1))
      let counts = state.withLock { state -> [String: Int]? in
        // Texts that were not repeated within the last second are printed at once again.
        let counts = state.counts.filter { $0.value > 0 }
        state.counts = counts.mapValues { _ in 0 }
        state.hasTask = !counts.isEmpty
        return counts.isEmpty ? nil : counts
      }
      guard let counts else { return }
      printCounts(of: counts)
    }
  }

  private func printCounts(of counts: [String: Int]) {
    for (text, count) in counts.sorted(by: { $0.key < $1.key }) where count > 0 {
      print("\(count) more like this: \(text)")
    }
  }
}
