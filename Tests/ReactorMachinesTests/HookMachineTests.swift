import ReactorMachines
import TestLimits
import Testing

/// A hook's input, and where each element is.
private struct HookWorld: ExploredWorld {
  enum Event: Hashable { case push, pull, withdraw(UInt64), cancel, finish }
  enum Place: Hashable { case waiting, held, passed, dropped, withdrawn }

  let elements: Int
  var machine = HookMachine()
  var places: [Place] = []
  var asks = false

  var events: [Event] {
    var events: [Event] = [.pull, .finish]
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
        asks = false
        places.append(.held)
        if Int(number) != places.count - 1 { return "number \(number)" }
      case .enqueued(let number):
        if asks { return "enqueued, and a task asks" }
        places.append(.waiting)
        if Int(number) != places.count - 1 { return "number \(number)" }
      case .refused: if !machine.isFinished { return "refused before the end" }
      }
    case .pull:
      let pull = machine.pull()
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
        asks = false
      case .wait: asks = true
      case .end: if !machine.isFinished { return "an end that has not come" }
      }
    case .withdraw(let number):
      guard machine.withdraw(number) else { return "not there" }
      places[Int(number)] = .withdrawn
    case .cancel:
      if !machine.cancel() { return "it is not resumed" }
      asks = false
    case .finish:
      let end = machine.finish()
      if let passed = end.passed { places[Int(passed)] = .passed }
      for number in end.dropped { places[Int(number)] = .dropped }
      if end.resumes != asks { return "not resumed" }
      asks = false
    }
    return check()
  }

  private func check() -> String? {
    if places.count(where: { $0 == .held }) > 1 { return "it has two elements" }
    if asks, places.contains(.waiting) || places.contains(.held) { return "it waits for nothing" }
    let holds = places.contains(.waiting) || places.contains(.held)
    if machine.isIdle == holds { return "idle: \(machine.isIdle)" }
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
    #expect(seen.size == "240 states, 688 transitions")
  }
}
