import ReactorMachines
import TestLimits
import Testing

/// A broadcast, and for each subscriber the positions that it has got.
private struct BroadcastWorld: ExploredWorld {
  enum Event: Hashable {
    case publish
    case subscribe(Int)
    case next(UInt64), cancel(UInt64), leave(UInt64)
    case finish
  }

  struct Reader: Hashable {
    let policy: BroadcastMachine.Policy
    let start: UInt64
    var got: [UInt64] = []
    var skipped = 0
    var isWaiting = false
    var hasEnded = false
    var hasLeft = false
    /// What it would have got without skipping, and has yet to get.
    var next: UInt64 { (got.last.map { $0 + 1 } ?? start) }
  }

  let policies: [BroadcastMachine.Policy]
  let elements: UInt64
  let most: Int
  let keepsNewest: Bool
  var machine: BroadcastMachine
  var readers: [UInt64: Reader] = [:]
  /// What was kept before the event.
  var kept: UInt64 = 0

  init(
    _ policies: [BroadcastMachine.Policy], elements: UInt64, readers: Int, keepsNewest: Bool
  ) {
    self.policies = policies
    self.elements = elements
    most = readers
    self.keepsNewest = keepsNewest
    machine = BroadcastMachine(keepsNewest: keepsNewest)
  }

  var events: [Event] {
    var events: [Event] = []
    if !machine.isFinished {
      if machine.end < elements { events.append(.publish) }
      events.append(.finish)
    }
    if readers.count < most { events += policies.indices.map { .subscribe($0) } }
    for (id, reader) in readers.sorted(by: { $0.key < $1.key }) where !reader.hasLeft {
      events += [reader.isWaiting ? .cancel(id) : .next(id), .leave(id)]
    }
    return events
  }

  mutating func apply(_ event: Event) -> String? {
    kept = machine.kept
    switch event {
    case .publish:
      let waited = readers.filter { $0.value.isWaiting }.keys.sorted()
      let (position, deliveries) = machine.publish()
      if deliveries.map(\.subscriber).sorted() != waited { return "not all are resumed" }
      for delivery in deliveries {
        if delivery.position != position { return "\(delivery) is not the new element" }
        if let fault = give(delivery) { return fault }
      }
    case .subscribe(let index):
      let id = machine.subscribe(policies[index], startsWithNewest: keepsNewest)
      let start = keepsNewest && machine.end > 0 ? machine.end - 1 : machine.end
      readers[id] = Reader(policy: policies[index], start: start)
    case .next(let id):
      switch machine.next(id) {
      case .deliver(let delivery):
        if delivery.subscriber != id { return "an element for another" }
        if let fault = give(delivery) { return fault }
      case .wait:
        readers[id]?.isWaiting = true
        if machine.isFinished { return "it waits after the end" }
      case .end:
        readers[id]?.hasEnded = true
        if !machine.isFinished { return "an end that has not come" }
      }
    case .cancel(let id):
      if !machine.cancel(id) { return "it is not resumed" }
      readers[id]?.isWaiting = false
    case .leave(let id):
      if machine.leave(id).wasWaiting != readers[id]?.isWaiting { return "not resumed" }
      readers[id]?.hasLeft = true
      readers[id]?.isWaiting = false
    case .finish:
      let waited = readers.filter { $0.value.isWaiting }.keys.sorted()
      if machine.finish().sorted() != waited { return "not all are resumed with the end" }
      for id in waited { readers[id]?.isWaiting = false }
    }
    return check()
  }

  private mutating func give(_ delivery: BroadcastMachine.Delivery) -> String? {
    guard var reader = readers[delivery.subscriber] else { return "no such subscriber" }
    reader.isWaiting = false
    let missed = Int(delivery.position) - Int(reader.next)
    if missed < 0 { return "\(delivery) again, or out of order" }
    if missed != delivery.skipped { return "\(delivery), but \(missed) were missed" }
    switch reader.policy {
    case .every: if missed > 0 { return "\(delivery) skips" }
    case .newest:
      if delivery.position != machine.end - 1 { return "\(delivery) is not the newest" }
    case .last(let count):
      if machine.end - delivery.position > UInt64(count) { return "\(delivery) is too old" }
    case .first: break
    }
    if delivery.position < kept { return "\(delivery) is not kept" }
    reader.got.append(delivery.position)
    reader.skipped += missed
    readers[delivery.subscriber] = reader
    return nil
  }

  private func check() -> String? {
    for (id, reader) in readers where !reader.hasLeft {
      if reader.isWaiting, reader.next < machine.end, reader.policy == .every {
        return "\(id) waits, and there is an element"
      }
      if reader.hasEnded, reader.policy == .every, reader.next != machine.end {
        return "\(id) has ended before its last element"
      }
      if reader.policy == .every, reader.next < machine.kept {
        return "\(id) needs \(reader.next), and what is before \(machine.kept) is dropped"
      }
    }
    let newest = keepsNewest && machine.end > 0 ? machine.end - 1 : machine.end
    let needed = readers.values.filter { !$0.hasLeft }.map { reader -> UInt64 in
      switch reader.policy {
      case .every: reader.next
      case .first: machine.end
      case .newest: max(reader.next, machine.end == 0 ? 0 : machine.end - 1)
      case .last(let count): max(reader.next, machine.end - min(machine.end, UInt64(count)))
      }
    }
    let lowest = min(needed.min() ?? newest, newest)
    return machine.kept > lowest ? "what is needed from \(lowest) on is dropped" : nil
  }
}

@Suite(.bounded)
struct BroadcastMachineTests {
  @Test(arguments: [
    (
      [BroadcastMachine.Policy.every], "every",
      ["1030 states, 2094 transitions", "1686 states, 3559 transitions"]
    ),
    (
      [.every, .newest], "every and newest",
      ["5052 states, 9659 transitions", "7741 states, 15445 transitions"]
    ),
    ([.last(2)], "last", ["1201 states, 2250 transitions", "1802 states, 3514 transitions"]),
    (
      [.every, .last(1)], "every and last",
      ["5052 states, 9659 transitions", "7741 states, 15445 transitions"]
    ),
    ([.first(1)], "first", ["1716 states, 3081 transitions", "2478 states, 4673 transitions"]),
    (
      [.first(2), .newest], "first and newest",
      ["5398 states, 10011 transitions", "8145 states, 15847 transitions"]
    ),
  ])
  func `a subscriber gets each position once, in order, under its policy`(
    _ policies: [BroadcastMachine.Policy], _ name: String, _ sizes: [String]
  ) {
    for (keepsNewest, size) in zip([true, false], sizes) {
      let world = BroadcastWorld(policies, elements: 4, readers: 2, keepsNewest: keepsNewest)
      let seen = Exploration(of: world, depth: 8)
      print("broadcast, \(name), keeps newest \(keepsNewest): \(seen.size)")
      #expect(seen.report == nil)
      #expect(seen.size == size)
    }
  }

  @Test
  func `what no subscriber needs is not kept`() {
    var machine = BroadcastMachine(keepsNewest: false)
    _ = machine.publish()
    #expect(machine.kept == 1)
    let slow = machine.subscribe(.every, startsWithNewest: true)
    for _ in 0..<100 { _ = machine.publish() }
    #expect(machine.kept == 1)
    _ = machine.leave(slow)
    #expect(machine.kept == 101)
  }
}
