import CProcess
import Reactor

/// One story: what it makes, and what that does.
struct Story: Sendable {
  let name: String
  let weigh: @Sendable (Int) async -> (heap: Int, resident: Int)

  init<R: Reactor>(
    _ name: String, _ make: @escaping @Sendable () -> R,
    _ live: @escaping @Sendable (R) async -> Void
  ) {
    self.name = name
    weigh = { count in
      // What the first of a process make once for all is not theirs, nor is what the process keeps
      // of those whose actions ended otherwise than by finishing: its place for that is full by now.
      let failed = await Self.lived(70_000, Plain.init) { await $0.send(.fail).settled }
      let first = await Self.lived(140_000, make, live)
      defer { withExtendedLifetime((failed, first)) {} }
      let before = (heap_in_use(), Self.resident())
      let reactors = await Self.lived(count, make, live)
      let after = (heap_in_use(), Self.resident())
      defer { withExtendedLifetime(reactors) {} }
      let own = reactors.capacity * MemoryLayout<R>.stride
      return (
        (after.0 - before.0 - own) / count - 2 * MemoryLayout<R.State>.size,
        (after.1 - before.1) / count
      )
    }
  }

  /// Reactors that do nothing any more: no task holds them.
  private static func lived<Lived: Reactor>(
    _ count: Int, _ make: () -> Lived, _ live: (Lived) async -> Void
  ) async -> [Lived] {
    var reactors: [Lived] = []
    reactors.reserveCapacity(count)
    for index in 0..<count {
      reactors.append(make())
      await live(reactors[index])
      while !isKnownUniquelyReferenced(&reactors[index]) { await Task.yield() }
    }
    return reactors
  }

  private static func resident() -> Int { Int(resident_bytes()) }
}

extension Reactor {
  func twice(_ action: Action) async {
    let receipts = [send(action), send(action)]
    for receipt in receipts { await receipt.settled }
  }
}
