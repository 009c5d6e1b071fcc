import ReactorMachines
import TestLimits
import Testing

/// A broadcast, its elements as a shell keeps them, and for each subscriber what it should get.
private struct BroadcastWorld: ExploredWorld {
  enum Event: Hashable {
    case publish, publishToOld, offer, finish
    case subscribe(Kind)
    case next(Int), cancel(Int), leave(Int), putBack(Int)
    case examine(Int), choose(Int), refuse(Int)
    case limit(Int)
  }

  /// What comes: a policy, and whether a filter chooses.
  struct Kind: Hashable {
    let policy: BroadcastMachine.Policy
    var isFiltered = false
    /// What it is limited to later.
    var later: BroadcastMachine.Policy?
  }

  struct Subscriber: Hashable {
    let number: UInt64
    var policy: BroadcastMachine.Policy
    let isFiltered: Bool
    var later: BroadcastMachine.Policy?
    /// What it should get, in order, and what of it is buffered.
    var due: [UInt64] = []
    var buffered: Set<UInt64> = []
    /// What it has yet to pass over, because it came later.
    var others: Set<UInt64> = []
    /// What it has yet to choose from, and what it has in its hands.
    var unchosen: [UInt64] = []
    var inHand: UInt64?
    var isExamined = false
    /// The position that was got last, which may be put back.
    var got: UInt64?
    /// The newest that it has got, or that was there when it came.
    var seen: UInt64?
    var readers = 0
    var lost = 0
    var isNew = false
    var hasAsked = false
    var hasLeft = false
  }

  let kinds: [Kind]
  let elements: UInt64
  let most: Int
  let hasValues: Bool
  let keepsNewest: Bool
  var machine: BroadcastMachine
  var subscribers: [Subscriber] = []

  init(_ kinds: [Kind], elements: UInt64, most: Int, hasValues: Bool, keepsNewest: Bool = false) {
    self.kinds = kinds
    self.elements = elements
    self.most = most
    self.hasValues = hasValues
    self.keepsNewest = keepsNewest
    machine = BroadcastMachine(hasValues: hasValues)
    machine.keepsNewest = keepsNewest
  }

  // MARK: Events

  var events: [Event] {
    var events: [Event] = []
    if !machine.isFinished {
      if machine.end < elements {
        events.append(.publish)
        if !hasValues, let last = subscribers.last, !last.hasLeft { events.append(.publishToOld) }
      }
      if hasValues, machine.end > 0 { events.append(.offer) }
      events.append(.finish)
    }
    if subscribers.count < most { events += kinds.map { .subscribe($0) } }
    for (id, subscriber) in subscribers.enumerated() {
      if subscriber.isExamined {
        events += subscriber.inHand == nil ? [.examine(id)] : [.choose(id), .refuse(id)]
      }
      if subscriber.hasLeft { continue }
      // A reader that waits holds its subscriber.
      events += [.next(id), subscriber.readers > 0 ? .cancel(id) : .leave(id)]
      if subscriber.got != nil, !hasValues { events.append(.putBack(id)) }
      if subscriber.later != nil { events.append(.limit(id)) }
    }
    return events
  }

  mutating func apply(_ event: Event) -> String? {
    switch event {
    case .publish: publish(upTo: .max) ?? check()
    case .publishToOld: publish(upTo: UInt64(subscribers.count - 1)) ?? check()
    case .offer: offer(to: nil) ?? check()
    case .finish: finish() ?? check()
    case .subscribe(let kind): subscribe(kind) ?? check()
    case .next(let id): next(id) ?? check()
    case .cancel(let id): cancel(id) ?? check()
    case .leave(let id): leave(id) ?? check()
    case .putBack(let id): putBack(id) ?? check()
    case .examine(let id): examine(id) ?? check()
    case .choose(let id): choose(id, isWanted: true) ?? check()
    case .refuse(let id): choose(id, isWanted: false) ?? check()
    case .limit(let id): limit(id) ?? check()
    }
  }

  // MARK: What should come of them

  private mutating func subscribe(_ kind: Kind) -> String? {
    let slot = machine.subscribe(
      kind.policy, number: UInt64(subscribers.count + 1), isFiltered: kind.isFiltered)
    if slot != subscribers.count { return "a place that is in use" }
    subscribers.append(
      Subscriber(
        number: UInt64(slot + 1), policy: kind.policy, isFiltered: kind.isFiltered,
        later: kind.later, isNew: hasValues))
    if kind.policy == .newest, machine.firstRetained < machine.end { begin(slot) }
    return machine.hasNewSubscribers && machine.firstRetained < machine.end ? offer(to: nil) : nil
  }

  private mutating func publish(upTo number: UInt64) -> String? {
    let position = machine.end
    let publication = machine.publish(upTo: number)
    var (readers, filteringSubscribers): (Set<Int>, Set<Int>) = ([], [])
    var drops: [Int: BroadcastMachine.BufferDrop] = [:]
    for id in subscribers.indices where !subscribers[id].hasLeft {
      subscribers[id].isNew = false
      if subscribers[id].isFiltered || subscribers[id].isExamined {
        if subscribers[id].number <= number {
          subscribers[id].unchosen.append(position)
        } else {
          subscribers[id].others.insert(position)
        }
        if !subscribers[id].isExamined { filteringSubscribers.insert(id) }
        subscribers[id].isExamined = true
        continue
      }
      guard subscribers[id].number <= number else {
        if !isLimited(id), subscribers[id].readers == 0 { subscribers[id].others.insert(position) }
        continue
      }
      if subscribers[id].readers > 0 {
        readers.insert(id)
        give(position, to: id)
      } else if subscribers[id].policy == .newest {
        continue
      } else if isLimited(id) {
        drops[id] = buffer(position, for: id)
      } else {
        subscribers[id].due.append(position)
      }
    }
    if Set(publication.readers) != readers { return "not those get it that wait" }
    if publication.losses != drops { return "not buffered as it should be" }
    return Set(publication.filteringSubscribers) == filteringSubscribers
      ? nil : "not those choose that should"
  }

  /// The source offers the newest element again, to one that has asked or to all that are new.
  private mutating func offer(to asking: Int?) -> String? {
    let publication = machine.offerAgain(to: asking)
    let newSubscribers = subscribers.indices.filter { id in
      guard !subscribers[id].hasLeft, subscribers[id].isNew else { return false }
      return subscribers[id].policy != .newest || id == asking
    }
    guard machine.end > 0 else { return newSubscribers.isEmpty ? nil : check() }
    let position = machine.end - 1
    var (readers, drops): (Set<Int>, [Int: BroadcastMachine.BufferDrop]) = ([], [:])
    for id in newSubscribers {
      begin(id)
      if subscribers[id].policy == .newest { continue }
      subscribers[id].due = []
      if subscribers[id].readers > 0 {
        readers.insert(id)
        give(position, to: id)
      } else if isLimited(id) {
        drops[id] = buffer(position, for: id)
      } else {
        subscribers[id].due = [position]
      }
    }
    // One of the newest that waits may be new, too.
    for id in publication.readers where subscribers[id].policy == .newest {
      if !subscribers[id].isNew || subscribers[id].readers == 0 { return "it is not new" }
      begin(id)
      readers.insert(id)
      give(position, to: id)
    }
    if Set(publication.readers) != readers { return "not those get it that wait" }
    return publication.losses == drops ? nil : "not buffered as it should be"
  }

  private mutating func begin(_ id: Int) {
    subscribers[id].isNew = false
    subscribers[id].seen = machine.end >= 2 ? machine.end - 2 : nil
  }

  private func isLimited(_ id: Int) -> Bool {
    switch subscribers[id].policy {
    case .every, .newest: false
    case .last, .first: true
    }
  }

  private mutating func give(_ position: UInt64, to id: Int) {
    subscribers[id].readers -= 1
    subscribers[id].got = position
    subscribers[id].seen = position
    if subscribers[id].readers == 0 { subscribers[id].hasAsked = false }
  }

  private mutating func buffer(_ position: UInt64, for id: Int) -> BroadcastMachine.BufferDrop {
    subscribers[id].due = (subscribers[id].due + [position]).sorted()
    subscribers[id].buffered.insert(position)
    let count = subscribers[id].buffered.count
    let lost: UInt64?
    let loss: BroadcastMachine.BufferDrop
    switch subscribers[id].policy {
    case .last(let most) where count > most:
      (lost, loss) = (subscribers[id].buffered.min(), .oldest)
    case .first(let most) where count > most:
      (lost, loss) = (subscribers[id].buffered.max(), .newest)
    default: (lost, loss) = (nil, .none)
    }
    if let lost { lose(lost, id) }
    return loss
  }

  private mutating func lose(_ position: UInt64, _ id: Int) {
    subscribers[id].buffered.remove(position)
    subscribers[id].due.removeAll { $0 == position }
    subscribers[id].lost += 1
  }

  private mutating func next(_ id: Int) -> String? {
    let due = subscribers[id].due.first
    if !subscribers[id].isExamined, due.map({ !subscribers[id].buffered.contains($0) }) ?? true {
      subscribers[id].others = subscribers[id].others.filter { $0 > due ?? .max }
    }
    var newest: UInt64?
    if machine.end > 0, machine.firstRetained < machine.end { newest = machine.end - 1 }
    switch machine.next(id) {
    case .deliver(let position):
      if subscribers[id].policy == .newest {
        if position != newest { return "\(position) is not the newest, or is not kept" }
        if let seen = subscribers[id].seen, position <= seen { return "\(position) again" }
      } else {
        if position != due { return "\(position), and not the next" }
        if subscribers[id].buffered.contains(position) { return "\(position) is buffered" }
        subscribers[id].due.removeFirst()
      }
      subscribers[id].readers += 1
      give(position, to: id)
    case .deliverBuffered:
      guard let due, due == subscribers[id].buffered.min() else { return "that is not next" }
      subscribers[id].due.removeFirst()
      subscribers[id].buffered.remove(due)
      subscribers[id].readers += 1
      give(due, to: id)
    case .ask:
      if !hasValues { return "there is no source" }
      if due != nil { return "it asks, and there is an element" }
      if machine.isFinished { return "it asks after the end" }
      if subscribers[id].hasAsked { return "it asks again" }
      subscribers[id].hasAsked = true
      if machine.end > 0 { return offer(to: id) ?? next(id) }
    case .wait:
      if due != nil { return "it waits, and there is an element" }
      if machine.isFinished, !subscribers[id].isExamined { return "it waits after the end" }
      machine.wait(id)
      subscribers[id].readers += 1
      if subscribers[id].policy == .newest, !subscribers[id].isExamined {
        subscribers[id].hasAsked = true
      }
    case .end:
      if due != nil || !machine.isFinished { return "an end that has not come" }
      if subscribers[id].policy == .newest, let newest, subscribers[id].seen ?? 0 < newest {
        return "it has not got the newest"
      }
    }
    return nil
  }

  private mutating func cancel(_ id: Int) -> String? {
    machine.cancel(id)
    subscribers[id].readers -= 1
    return nil
  }

  private mutating func leave(_ id: Int) -> String? {
    machine.unsubscribe(id, isReleased: false)
    subscribers[id].hasLeft = true
    subscribers[id].due = []
    subscribers[id].others = []
    subscribers[id].unchosen = []
    subscribers[id].buffered = []
    let isUnneeded = subscribers.allSatisfy(\.hasLeft) && !machine.keepsNewest
    return machine.isUnneeded == isUnneeded ? nil : "it is unneeded, or not"
  }

  private mutating func putBack(_ id: Int) -> String? {
    guard let position = subscribers[id].got else { return nil }
    subscribers[id].got = nil
    return claimed(machine.claim(id), position, id)
  }

  private mutating func claimed(
    _ claim: BroadcastMachine.Claim, _ position: UInt64, _ id: Int
  ) -> String? {
    if subscribers[id].readers > 0 {
      give(position, to: id)
      return claim == .reader ? nil : "a reader waits"
    }
    return claim == .buffer(buffer(position, for: id)) ? nil : "not buffered as it should be"
  }

  private mutating func examine(_ id: Int) -> String? {
    let next = subscribers[id].unchosen.first
    switch machine.examine(id) {
    case .choose(let position):
      if position != next { return "\(position) is not the next to choose from" }
      subscribers[id].unchosen.removeFirst()
      subscribers[id].inHand = position
      subscribers[id].others = subscribers[id].others.filter { $0 > position }
    case .rest, .end:
      subscribers[id].others = []
      if next != nil { return "there is more to choose from" }
      subscribers[id].isExamined = false
      if machine.isFinished { subscribers[id].readers = 0 }
    }
    return nil
  }

  private mutating func choose(_ id: Int, isWanted: Bool) -> String? {
    let position = subscribers[id].inHand
    subscribers[id].inHand = nil
    if machine.isSubscribed(id) == subscribers[id].hasLeft { return "it is subscribed, or is not" }
    guard isWanted, let position, machine.isSubscribed(id) else { return nil }
    return claimed(machine.claim(id), position, id)
  }

  private mutating func limit(_ id: Int) -> String? {
    guard let policy = subscribers[id].later else { return nil }
    subscribers[id].later = nil
    let (lost, examines) = machine.limit(id, to: policy)
    subscribers[id].policy = policy
    var count = 0
    while true {
      switch policy {
      case .last(let most) where subscribers[id].buffered.count > most:
        if let oldest = subscribers[id].buffered.min() { lose(oldest, id) }
      case .first(let most) where subscribers[id].buffered.count > most:
        if let newest = subscribers[id].buffered.max() { lose(newest, id) }
      default:
        if lost != count { return "\(lost) are lost" }
        let ahead = subscribers[id].due.filter { !subscribers[id].buffered.contains($0) }
        if subscribers[id].isExamined { return examines ? "something goes to it already" : nil }
        if examines == (ahead.isEmpty && subscribers[id].others.isEmpty) {
          return "it has \(ahead.count) to choose from"
        }
        subscribers[id].isExamined = examines
        subscribers[id].unchosen = ahead
        subscribers[id].due = subscribers[id].buffered.sorted()
        return nil
      }
      count += 1
    }
  }

  private mutating func finish() -> String? {
    if hasValues, machine.end > 0 {
      machine.keepsNewest = true
      if let fault = offer(to: nil) { return fault }
    }
    let ended = subscribers.indices.filter {
      subscribers[$0].readers > 0 && !subscribers[$0].isExamined
    }
    if machine.finish().sorted() != ended { return "not all are resumed with the end" }
    for id in ended { subscribers[id].readers = 0 }
    return nil
  }

  // MARK: What holds in each state

  private func check() -> String? {
    let there = subscribers.filter { !$0.hasLeft }
    for subscriber in there {
      if subscriber.readers > 0, !subscriber.due.isEmpty { return "it waits for what is there" }
    }
    var needed = there.flatMap {
      $0.due.filter { [buffered = $0.buffered] in !buffered.contains($0) }
    }
    needed += there.flatMap(\.unchosen) + there.flatMap(\.others)
    if machine.end > 0 {
      let followers = there.contains { $0.policy != .newest }
      if followers && hasValues || machine.keepsNewest, machine.firstRetained < machine.end {
        needed.append(machine.end - 1)
      }
    }
    if hasValues, machine.end > 0, machine.firstRetained == machine.end,
      machine.keepsNewest || there.contains(where: { $0.policy != .newest && !$0.isNew })
    {
      return "the newest is not kept"
    }
    let lowest = needed.min() ?? machine.end
    if machine.firstRetained > lowest { return "what is needed from \(lowest) on is dropped" }
    let asks = there.contains { $0.policy == .newest }
    if machine.firstRetained < lowest, !(asks && machine.firstRetained == machine.end - 1) {
      return "what is not needed from \(machine.firstRetained) on is kept"
    }
    for subscriber in there where machine.lost(Int(subscriber.number) - 1) != subscriber.lost {
      return "not as many are lost"
    }
    let hasDemand =
      there.contains { $0.policy != .newest } || there.contains { $0.hasAsked }
    return machine.hasDemand == hasDemand ? nil : "there is demand, or not"
  }
}

extension [BroadcastMachine.Receiver] {
  /// Subscribers of which the first reader that waits gets the element.
  fileprivate var readers: [Int] { filter { $0.claim == .reader }.map(\.subscriber) }
  /// Subscribers that something has to go to, to choose.
  fileprivate var filteringSubscribers: [Int] { filter { $0.claim == nil }.map(\.subscriber) }

  /// What is lost for each subscriber that the element is buffered for.
  fileprivate var losses: [Int: BroadcastMachine.BufferDrop] {
    var losses: [Int: BroadcastMachine.BufferDrop] = [:]
    for case (let subscriber, .buffer(let loss)?) in map({ ($0.subscriber, $0.claim) }) {
      losses[subscriber] = loss
    }
    return losses
  }
}

@Suite(.bounded)
struct BroadcastMachineTests {
  fileprivate typealias Kind = BroadcastWorld.Kind

  @Test(arguments: [
    ("every", [Kind(policy: .every)], "4061 states, 10267 transitions"),
    (
      "every, then the last", [Kind(policy: .every, later: .last(1))],
      "18953 states, 45558 transitions"
    ),
    (
      "every, then the first", [Kind(policy: .every, later: .first(1))],
      "18974 states, 45563 transitions"
    ),
    ("chosen", [Kind(policy: .every, isFiltered: true)], "10487 states, 28769 transitions"),
    (
      "chosen, then the last", [Kind(policy: .every, isFiltered: true, later: .last(1))],
      "20913 states, 60533 transitions"
    ),
    (
      "all or chosen", [Kind(policy: .every), Kind(policy: .every, isFiltered: true)],
      "26486 states, 71231 transitions"
    ),
  ])
  fileprivate func `a subscriber of events gets each once, in order, up to its limit`(
    _ name: String, _ kinds: [Kind], _ size: String
  ) {
    let world = BroadcastWorld(kinds, elements: 3, most: 2, hasValues: false)
    let seen = Exploration(of: world, depth: 8)
    print("events, \(name): \(seen.size)")
    #expect(seen.report == nil)
    #expect(seen.size == size)
  }

  @Test(arguments: [
    (
      "every", [Kind(policy: .every)],
      ["1167 states, 3105 transitions", "1900 states, 4931 transitions"]
    ),
    (
      "newest", [Kind(policy: .newest)],
      ["1663 states, 4175 transitions", "2197 states, 5195 transitions"]
    ),
    (
      "last", [Kind(policy: .last(2))],
      ["1759 states, 3893 transitions", "2536 states, 5731 transitions"]
    ),
    (
      "every or newest", [Kind(policy: .every), Kind(policy: .newest)],
      ["5296 states, 13787 transitions", "8233 states, 20716 transitions"]
    ),
    (
      "last or newest", [Kind(policy: .last(1)), Kind(policy: .newest)],
      ["7597 states, 17646 transitions", "10993 states, 25091 transitions"]
    ),
  ])
  fileprivate func `a subscriber of values begins with the newest, and gets each once`(
    _ name: String, _ kinds: [Kind], _ sizes: [String]
  ) {
    for (keepsNewest, size) in zip([true, false], sizes) {
      let world = BroadcastWorld(
        kinds, elements: 3, most: 2, hasValues: true, keepsNewest: keepsNewest)
      let seen = Exploration(of: world, depth: 8)
      print("values, \(name), keeps newest \(keepsNewest): \(seen.size)")
      #expect(seen.report == nil)
      #expect(seen.size == size)
    }
  }

  @Test func `what no subscriber needs is not buffered`() {
    var machine = BroadcastMachine(hasValues: false)
    _ = machine.publish()
    #expect(machine.firstRetained == 1)
    let slow = machine.subscribe(.every)
    for _ in 0..<2000 { _ = machine.publish() }
    #expect(machine.firstRetained == 1)
    for position in 1...1500 {
      #expect(machine.next(slow) == .deliver(position: UInt64(position)))
    }
    #expect(machine.firstRetained == 1501)
    machine.unsubscribe(slow, isReleased: true)
    #expect(machine.firstRetained == 2001)
  }

  @Test(arguments: [.last(0), .first(0)] as [BroadcastMachine.Policy])
  func `a subscriber that should keep none keeps one`(_ policy: BroadcastMachine.Policy) {
    var machine = BroadcastMachine(hasValues: false)
    let slot = machine.subscribe(policy)
    for _ in 0..<2 { _ = machine.publish() }
    #expect(machine.next(slot) == .deliverBuffered(skipped: 1))
    #expect(machine.next(slot) == .wait)
  }

  @Test func `a subscriber's slot is used again once it is released`() {
    var machine = BroadcastMachine(hasValues: true)
    let one = machine.subscribe(.every)
    machine.unsubscribe(one, isReleased: false)
    #expect(machine.next(one) == .end)
    #expect(machine.subscribe(.every) != one)
    machine.unsubscribe(one, isReleased: true)
    #expect(machine.subscribe(.every) == one)
  }
}
