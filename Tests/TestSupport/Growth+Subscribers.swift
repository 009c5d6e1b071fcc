import Synchronization

extension Growth {
  /// Has so many tasks iterate a sequence each: sends until each has seen two elements, and cancels
  /// them.
  package static func runSubscribers<Elements: AsyncSequence & Sendable>(
    of count: Int, at elements: @escaping @Sendable () -> Elements, _ send: () -> Void
  ) async where Elements.Failure == Never {
    let seen = Seen()
    let all = (0..<count).map { _ in elements() }
    await withTaskGroup { group in
      for elements in all {
        group.addTask { for await _ in elements { seen.count.add(1, ordering: .relaxed) } }
      }
      for round in 1...2 {
        await Task.yield()
        send()
        while seen.count.load(ordering: .relaxed) < round * count { await Task.yield() }
      }
      group.cancelAll()
    }
  }
}

/// How many elements have been seen.
private final class Seen: Sendable {
  let count = Atomic(0)
}
