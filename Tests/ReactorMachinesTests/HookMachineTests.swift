import ReactorMachines
import TestLimits
import Testing

/// A hook's input, and where each element is.
private struct HookWorld: ExploredWorld {
  enum Event: Hashable {
    case claim, push, pull, pullCancelled, cancel, cancelLate, finish
    case withdraw(UInt64)
  }
  enum Place: Hashable { case waiting, held, passed, dropped, withdrawn }

  let elements: Int
  var machine = HookMachine()
  var places: [Place] = []
  var isClaimed = false
  /// The task that asks: two take turns.
  var asking: UInt64?
  var asks: Bool { asking != nil }

  var events: [Event] {
    var events: [Event] = [.pull, .pullCancelled, .finish, .cancelLate]
    if !isClaimed { events.append(.claim) }
    if places.count < elements { events.append(.push) }
    events += places.indices.filter { places[$0] == .waiting }.map { .withdraw(UInt64($0)) }
    if asks { events.append(.cancel) }
    return events
  }

  mutating func apply(_ event: Event) -> String? {
    switch event {
    case .push:
      switch machine.push() {
      case .deliver(let number):
        if !asks { return "delivered, and no task asks" }
        asking = nil
        places.append(.held)
        if Int(number) != places.count - 1 { return "number \(number)" }
      case .enqueued(let number):
        if asks { return "enqueued, and a task asks" }
        places.append(.waiting)
        if Int(number) != places.count - 1 { return "number \(number)" }
      case .refused: if !machine.isFinished { return "refused before the end" }
      }
    case .pull:
      let task: UInt64 = asking == 1 ? 2 : 1
      let pull = machine.pull(by: task)
      if let passed = pull.passed {
        guard places[Int(passed)] == .held else { return "\(passed) is passed on twice" }
        places[Int(passed)] = .passed
      }
      if pull.replaces != asks { return "another task asks, or none" }
      switch pull.answer {
      case .deliver(let number):
        guard places[Int(number)] == .waiting else { return "\(number) is delivered twice" }
        if places[..<Int(number)].contains(.waiting) { return "\(number) overtakes" }
        places[Int(number)] = .held
        asking = nil
      case .wait: asking = task
      case .end: if !machine.isFinished { return "an end that has not come" }
      }
    case .pullCancelled:
      let pull = machine.pull(by: 3, isCancelled: true)
      if let passed = pull.passed {
        guard places[Int(passed)] == .held else { return "\(passed) is passed on twice" }
        places[Int(passed)] = .passed
      }
      if pull.replaces { return "it takes the place of a task that waits" }
      switch pull.answer {
      case .deliver(let number):
        guard places[Int(number)] == .waiting else { return "\(number) is delivered twice" }
        if places[..<Int(number)].contains(.waiting) { return "\(number) overtakes" }
        places[Int(number)] = .held
      case .wait: return "it waits"
      case .end: if places.contains(.waiting) { return "an element is left" }
      }
    case .withdraw(let number):
      guard machine.withdraw(number) else { return "not there" }
      places[Int(number)] = .withdrawn
    case .cancel:
      if !machine.cancel(asking ?? 0) { return "it is not resumed" }
      asking = nil
    case .cancelLate:
      for task in UInt64(1)...3 where task != asking {
        if machine.cancel(task) { return "\(task) does not ask" }
      }
    case .finish:
      let held = machine.current
      for number in machine.finish() {
        guard places[Int(number)] == .waiting else { return "\(number) did not wait" }
        places[Int(number)] = .dropped
      }
      if let held { places[Int(held)] = .passed }
      asking = nil
      if !machine.isAtRest { return "it is at its end, and not at rest" }
    case .claim:
      if !machine.claim() || machine.claim() { return "not the first alone has the elements" }
      isClaimed = true
    }
    return check()
  }

  private func check() -> String? {
    if places.count(where: { $0 == .held }) > 1 { return "it has two elements" }
    if asks, places.contains(.waiting) || places.contains(.held) { return "it waits for nothing" }
    let holds = places.contains(.waiting) || places.contains(.held)
    if machine.isIdle == holds { return "idle: \(machine.isIdle)" }
    let isAtRest = machine.isFinished || asks || !isClaimed && !holds
    if machine.isAtRest != isAtRest { return "at rest: \(machine.isAtRest)" }
    return machine.isFinished && holds ? "an element is left at the end" : nil
  }
}

@Suite(.bounded)
struct HookMachineTests {
  @Test
  func `each element is passed on once, in order, or dropped`() {
    let seen = Exploration(of: HookWorld(elements: 4), depth: 10)
    print("hook: \(seen.size)")
    #expect(seen.report == nil)
    #expect(seen.size == "526 states, 2627 transitions")
  }
}
