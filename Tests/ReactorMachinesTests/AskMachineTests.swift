import ReactorMachines
import TestLimits
import Testing

/// An ask, and what its asker received.
private struct AskWorld: ExploredWorld {
  enum Event: Hashable { case answer, wait, end }

  var machine = AskMachine()
  var answers = 0
  var isWaiting = false
  var isOver = false
  var reported = 0

  var events: [Event] { isWaiting ? [.answer, .end] : [.answer, .wait, .end] }

  mutating func apply(_ event: Event) -> String? {
    switch event {
    case .answer:
      answers = min(answers + 1, 3)
      switch machine.answer() {
      case .store: if answers > 1 || isWaiting { return "stored, and a task waits" }
      case .resume:
        if !isWaiting { return "resumed, and no task waits" }
        (isWaiting, isOver) = (false, true)
      case .ignore: if !isOver || answers > 1 { return "an answer is lost" }
      case .again: if answers < 2 { return "the first answer is reported" }
      }
    case .wait:
      switch machine.wait() {
      case .take: if answers == 0 { return "there is no answer to take" }
      case .wait:
        if answers > 0 { return "it waits, and there is an answer" }
        isWaiting = true
        return nil
      case .over: break
      }
      isOver = true
    case .end:
      if machine.end() != isWaiting { return "resumed: \(!isWaiting)" }
      if isWaiting || answers == 0 { isOver = true }
      isWaiting = false
    }
    return nil
  }
}

@Suite(.bounded)
struct AskMachineTests {
  @Test
  func `the first end of an ask counts, and no answer is lost`() {
    let seen = Exploration(of: AskWorld(), depth: 8)
    print("ask: \(seen.size)")
    #expect(seen.report == nil)
    #expect(seen.size == "9 states, 26 transitions")
  }
}
