import Reactor
import ReactorRuntime
import Testing
import TestLimits

@testable import Readline
@testable import CommandShell

@Suite(.bounded) struct ConsoleStateTests {
  private let desk = Desk()

  @Test func `a line is read only while a task waits`() {
    #expect(!desk.takeWork().wantsLine)
    desk.mustWait("a", id: 1)
    #expect(desk.takeWork().wantsLine)
    #expect(desk.deliver("one") == "a")
    #expect(!desk.takeWork().wantsLine)
  }

  @Test func `tasks that wait are served in turn`() {
    desk.mustWait("a", id: 1)
    desk.mustWait("b", id: 2)
    #expect(desk.deliver("one") == "a")
    #expect(desk.takeWork().wantsLine)
    #expect(desk.deliver("two") == "b")
  }

  @Test func `a line whose waiter was cancelled goes to the next`() {
    desk.mustWait("a", id: 1)
    #expect(desk.withdraw(id: 1) == "a")
    #expect(desk.deliver("one") == nil)
    desk.mustGet(.text("one"))
    desk.mustWait("b", id: 2)
  }

  @Test func `a line that is put back is the next one`() {
    desk.mustWait("a", id: 1)
    #expect(desk.deliver("one") == "a")
    #expect(desk.deliver("two") == nil)
    #expect(desk.putBack("one") == nil)
    desk.mustGet(.text("one"))
    desk.mustGet(.text("two"))
  }

  @Test func `lines put back by two tasks are in the order in which they were read`() {
    desk.mustWait("a", id: 1)
    desk.mustWait("b", id: 2)
    #expect(desk.deliver("one") == "a")
    #expect(desk.deliver("two") == "b")
    #expect(desk.deliver("three") == nil)
    #expect(desk.putBack("one") == nil)
    #expect(desk.putBack("two") == nil)
    desk.mustGet(.text("one"))
    desk.mustGet(.text("two"))
    desk.mustGet(.text("three"))
  }

  @Test func `a line that is put back is delivered to a task that waits`() {
    desk.mustWait("a", id: 1)
    desk.mustWait("b", id: 2)
    #expect(desk.deliver("one") == "a")
    #expect(desk.putBack("one") == "b")
    desk.mustWait("c", id: 3)
  }

  @Test func `a waiter that is withdrawn twice is resumed once`() {
    desk.mustWait("a", id: 1)
    #expect(desk.withdraw(id: 1) == "a")
    #expect(desk.withdraw(id: 1) == nil)
  }

  @Test func `the end is delivered to all waiters, and to later ones`() {
    desk.mustWait("a", id: 1)
    desk.mustWait("b", id: 2)
    #expect(desk.end() == ["a", "b"])
    desk.mustGet(nil)
  }

  @Test func `one wake-up is enough until the reader reads`() {
    #expect(desk.setPrompt("1> "))
    #expect(!desk.setPrompt("2> "))
    #expect(!desk.setPrompt("3> "))
    #expect(desk.takeWork().prompt == "3> ")
    #expect(desk.setPrompt("4> "))
  }

  @Test func `a prompt that has not changed wakes no reader`() {
    #expect(!desk.setPrompt("> "))
  }

  @Test func `output keeps its order and is taken once`() {
    let (one, two) = (ConsoleOutput("one", to: .output), ConsoleOutput("two", to: .error))
    #expect(desk.queues(one) && desk.queues(two))
    #expect(desk.takeWork().outputs == [one, two])
    #expect(desk.takeWork().outputs == [])
  }

  @Test func `of rows that accumulate only the newest are shown, and once`() {
    #expect(desk.paint(["one"]))
    #expect(!desk.paint(["two"]))
    #expect(desk.takeWork().pane == ["two"])
    #expect(desk.takeWork().pane == nil)
    #expect(desk.paint([]))
    #expect(desk.takeWork().pane == [])
  }

  @Test func `after the last output there is nothing to paint on`() {
    _ = desk.takeLastOutputs()
    #expect(!desk.paint(["late"]))
    #expect(desk.takeWork().pane == nil)
  }

  @Test func `callers write themselves only once the last output is taken`() {
    let output = ConsoleOutput("one", to: .output)
    #expect(desk.queues(output))
    #expect(desk.takeLastOutputs() == [output])
    #expect(desk.queues(output), "or it would overtake the one being written")
    #expect(desk.takeLastOutputs() == [output])
    #expect(desk.takeLastOutputs() == [])
    #expect(!desk.queues(output))
  }

  @Test func `without a terminal callers always write themselves`() {
    #expect(!Desk(queuesOutput: false).queues(ConsoleOutput("one", to: .output)))
  }
}

/// The state in a place where expectations may change it.
private final class Desk {
  private var state: ConsoleState<String>
  /// The lines that waiters were resumed with.
  private var delivered: [Numbered<InputLine>] = []

  init(queuesOutput: Bool = true) {
    state = ConsoleState(prompt: "> ", queuesOutput: queuesOutput)
  }

  func mustWait(_ waiter: String, id: Int) {
    guard case .waiting = state.ask(waiter, id: id) else {
      Issue.record("\(waiter) got an answer")
      return
    }
  }

  func mustGet(_ line: InputLine?) {
    guard case .answered(let answer) = state.ask("whoever asks", id: 0), answer?.element == line
    else {
      Issue.record("the answer is not \(String(describing: line))")
      return
    }
  }

  func queues(_ output: ConsoleOutput) -> Bool {
    if case .queued = state.show(output) { true } else { false }
  }

  func withdraw(id: Int) -> String? { state.withdraw(id: id) }

  func deliver(_ text: String) -> String? {
    guard let (waiter, line) = state.deliver(.text(text)) else { return nil }
    delivered.append(line)
    return waiter
  }

  func putBack(_ text: String) -> String? {
    guard let line = delivered.first(where: { $0.element == .text(text) }) else {
      Issue.record("\(text) was not delivered")
      return nil
    }
    return state.putBack(line)
  }

  func end() -> [String] { state.end() }
  func setPrompt(_ prompt: String) -> Bool { state.setPrompt(prompt) }
  func paint(_ rows: [StyledText]) -> Bool { state.paint(rows) }
  func takeWork() -> ConsoleState<String>.Work { state.takeWork() }
  func takeLastOutputs() -> [ConsoleOutput] { state.takeLastOutputs() }
}
