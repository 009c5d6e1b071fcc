import TestLimits
import Testing

@testable import ReactorJournal

/// A gate, and what its reactor has done: which entries there are, and what waits for which.
private struct GateWorld: ExploredWorld {
  enum Event: Hashable {
    case mutation(of: UInt64), transient, command
    case begin, take, written, fails, close
    case leave(isNeeded: Bool), wait, leaveMeanwhile
    /// The window has passed, or everything has become durable since.
    case overdue, inTime
  }

  let limit: Int
  /// Whether outputs may be visible before they are durable, until the window has passed.
  let hasWindow: Bool
  var isWriteBehind: Bool
  var machine = GateMachine(last: 0)
  /// The cause of each entry; `nil` for a command.
  var entries: [UInt64?] = []
  var taken = 0
  var durable = 0
  /// After which entry each item leaves that is held; and each waiter.
  var items: [Int] = []
  var waiters: [Int] = []
  var isWriting = false
  var hasFailed = false
  var isClosed = false

  init(limit: Int, hasWindow: Bool) {
    self.limit = limit
    (self.hasWindow, isWriteBehind) = (hasWindow, hasWindow)
  }

  var events: [Event] {
    var events: [Event] = [.close]
    if items.count < 2 { events += [.leave(isNeeded: true), .leave(isNeeded: false)] }
    if waiters.count < 2 { events.append(.wait) }
    if entries.count < 4 { events.append(.command) }
    if hasWindow { events.append(isWriteBehind ? .overdue : .inTime) }
    if entries.count < 4, !isClosed { events += [.mutation(of: 0), .mutation(of: 1), .transient] }
    if hasFailed { return events }
    if !isWriting { return events + [.begin] }
    if taken == durable { return events + [.take] }
    return events + [.written, .leaveMeanwhile, .fails]
  }

  mutating func apply(_ event: Event) -> String? {
    switch event {
    case .mutation(let cause): return add(machine.append(of: cause), cause, isRefused: hasFailed)
    case .command:
      return add(
        machine.append(of: nil, isCommand: true), nil, isRefused: hasFailed || isClosed)
    case .transient: machine.reduceTransient()
    case .overdue, .inTime: isWriteBehind.toggle()
    case .begin:
      isWriting = machine.begin()
      if isWriting != (taken < entries.count) { return "writes: \(isWriting)" }
    case .take: return take()
    case .written: return written(leaving: false)
    case .leaveMeanwhile: return written(leaving: true)
    case .fails: return fail()
    case .leave(let isNeeded): return leave(isNeeded: isNeeded)
    case .wait:
      let isHeld = machine.wait(isWriteBehind: isWriteBehind)
      let mustWait = !items.isEmpty || !isWriteBehind && durable < entries.count
      if isHeld != (!hasFailed && mustWait) { return "held: \(isHeld)" }
      if isHeld { waiters.append(entries.count) }
    case .close: return close()
    }
    return check()
  }

  private mutating func add(_ number: Int?, _ cause: UInt64?, isRefused: Bool) -> String? {
    if isRefused { return number == nil ? check() : "numbered \(number ?? 0)" }
    entries.append(cause)
    return number == entries.count ? check() : "numbered \(number ?? 0)"
  }

  private mutating func take() -> String? {
    let count = machine.take(limit: limit)
    let rest = entries[taken...]
    if count < min(limit, rest.count) { return "took \(count) of \(rest.count)" }
    let (batch, following) = (rest.prefix(count), rest.dropFirst(count))
    let next = following.first { $0 != nil }
    if limit > 1, let next, batch.last(where: { $0 != nil }) == next { return "parts an action" }
    if count > limit, batch.last == .some(nil) { return "a command is taken too much" }
    taken += count
    return check()
  }

  private mutating func written(leaving: Bool) -> String? {
    machine.written()
    durable = taken
    var leaves = leaving
    while machine.releaseItem() {
      guard let first = items.first, first <= durable else { return "an item is released early" }
      items.removeFirst()
      guard leaves else { continue }
      leaves = false
      // It goes behind those that are released.
      switch machine.leave(isNeeded: true, isWriteBehind: isWriteBehind) {
      case .now: return "an item overtakes"
      case .held: items.append(entries.count)
      case .leftOut, .dropped: return "an item is dropped"
      }
    }
    while machine.releaseWaiter() {
      guard let first = waiters.first, first <= durable else { return "resumed early" }
      waiters.removeFirst()
    }
    if items.contains(where: { $0 <= durable }) { return "an item is held for ever" }
    if waiters.contains(where: { $0 <= durable }) { return "a waiter is held for ever" }
    isWriting = machine.continues()
    if isWriting != (taken < entries.count) { return "goes on: \(isWriting)" }
    return check()
  }

  private mutating func fail() -> String? {
    if !machine.fail() || machine.fail() { return "fails once" }
    (hasFailed, isWriting) = (true, false)
    while machine.releaseItem() { items.removeFirst() }
    while machine.releaseWaiter() { waiters.removeFirst() }
    if !items.isEmpty || !waiters.isEmpty { return "something is held for ever" }
    if machine.begin() || machine.continues() || machine.take(limit: limit) > 0 { return "writes" }
    return check()
  }

  private mutating func leave(isNeeded: Bool) -> String? {
    let isOpen = durable == entries.count || isWriteBehind
    switch machine.leave(isNeeded: isNeeded, isWriteBehind: isWriteBehind) {
    case .now: if hasFailed || !isOpen || !items.isEmpty { return "leaves early" }
    case .held:
      if hasFailed || isOpen && items.isEmpty { return "is held, though nothing is to come" }
      items.append(entries.count)
    case .leftOut:
      if hasFailed || isNeeded || isOpen && items.isEmpty { return "is left out" }
    case .dropped: if !hasFailed { return "is dropped" }
    }
    return check()
  }

  private mutating func close() -> String? {
    let open = isClosed || hasFailed ? 0 : entries.count - durable
    isClosed = true
    let closing = machine.close()
    if closing != (open == 0 ? .complete : .unconfirmed(open)) { return "\(closing)" }
    return check()
  }

  private func check() -> String? {
    if hasFailed {
      var machine = machine
      return machine.leave(isNeeded: true, isWriteBehind: true) == .dropped ? nil : "goes on"
    }
    let known = (machine.last, machine.taken, machine.durable)
    return known == (entries.count, taken, durable) ? nil : "\(known)"
  }
}

/// What a gate decides, in every order of events.
@Suite(.bounded) struct GateMachineTests {
  @Test(arguments: [
    (1, false, "39835 states, 82173 transitions"),
    (2, false, "44092 states, 89954 transitions"),
    (2, true, "20216 states, 48306 transitions"),
  ])
  func `no output leaves early, is overtaken or is held for ever`(
    _ limit: Int, _ hasWindow: Bool, _ size: String
  ) {
    let seen = Exploration(of: GateWorld(limit: limit, hasWindow: hasWindow), depth: 7)
    print("gate, \(limit) a batch, with a window \(hasWindow): \(seen.size)")
    #expect(seen.report == nil)
    #expect(seen.size == size)
  }

  @Test func `the newest state is the reactor's, once all of it is durable`() {
    var gate = GateMachine(last: 0)
    _ = gate.append(of: 0)
    #expect(gate.newest(current: 1, batch: nil, isWriteBehind: false) == .none)
    #expect(gate.newest(current: 1, batch: nil, isWriteBehind: true) == .current)
    #expect(gate.begin() && gate.take(limit: 9) == 1)
    gate.written()
    #expect(gate.newest(current: 1, batch: 1, isWriteBehind: false) == .current)
    gate.show(1)
    #expect(gate.newest(current: 1, batch: 1, isWriteBehind: false) == .none)
  }

  @Test func `with more reduced, the newest state is the batch's`() {
    var gate = GateMachine(last: 0)
    _ = gate.append(of: 0)
    #expect(gate.begin() && gate.take(limit: 9) == 1)
    _ = gate.append(of: 1)
    gate.written()
    #expect(gate.newest(current: 2, batch: 1, isWriteBehind: false) == .batch)
    #expect(gate.newest(current: nil, batch: nil, isWriteBehind: false) == .none)
  }

  @Test func `after the window, a newer state is not shown before the held items`() {
    var gate = GateMachine(last: 0)
    _ = gate.append(of: 0)
    #expect(gate.leave(isNeeded: true, isWriteBehind: false) == .held)
    #expect(gate.newest(current: 2, batch: nil, isWriteBehind: true) == .none)
  }
}
