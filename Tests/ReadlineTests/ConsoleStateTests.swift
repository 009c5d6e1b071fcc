import Reactor
import ReactorRuntime
import Testing
import TestLimits

@testable import Readline
@testable import CommandShell

@Suite(.bounded) struct ConsoleStateTests {
  private let console = TestConsole()

  @Test func `a line is read only while a task waits`() {
    #expect(!console.takeWork().wantsLine)
    console.mustWait("a", id: 1)
    #expect(console.takeWork().wantsLine)
    #expect(console.deliver("one") == "a")
    #expect(!console.takeWork().wantsLine)
  }

  @Test func `tasks that wait are served in turn`() {
    console.mustWait("a", id: 1)
    console.mustWait("b", id: 2)
    #expect(console.deliver("one") == "a")
    #expect(console.takeWork().wantsLine)
    #expect(console.deliver("two") == "b")
  }

  @Test func `a line whose waiter was cancelled goes to the next`() {
    console.mustWait("a", id: 1)
    #expect(console.cancelRequest(id: 1) == "a")
    #expect(console.deliver("one") == nil)
    console.mustGet(.text("one"))
    console.mustWait("b", id: 2)
  }

  @Test func `a line that is put back is the next one`() {
    console.mustWait("a", id: 1)
    #expect(console.deliver("one") == "a")
    #expect(console.deliver("two") == nil)
    #expect(console.putBack("one") == nil)
    console.mustGet(.text("one"))
    console.mustGet(.text("two"))
  }

  @Test func `lines put back by two tasks are in the order in which they were read`() {
    console.mustWait("a", id: 1)
    console.mustWait("b", id: 2)
    #expect(console.deliver("one") == "a")
    #expect(console.deliver("two") == "b")
    #expect(console.deliver("three") == nil)
    #expect(console.putBack("one") == nil)
    #expect(console.putBack("two") == nil)
    console.mustGet(.text("one"))
    console.mustGet(.text("two"))
    console.mustGet(.text("three"))
  }

  @Test func `a line that is put back is delivered to a task that waits`() {
    console.mustWait("a", id: 1)
    console.mustWait("b", id: 2)
    #expect(console.deliver("one") == "a")
    #expect(console.putBack("one") == "b")
    console.mustWait("c", id: 3)
  }

  @Test func `a waiter that is cancelled twice is resumed once`() {
    console.mustWait("a", id: 1)
    #expect(console.cancelRequest(id: 1) == "a")
    #expect(console.cancelRequest(id: 1) == nil)
  }

  @Test func `the end is delivered to all waiters, and to later ones`() {
    console.mustWait("a", id: 1)
    console.mustWait("b", id: 2)
    #expect(console.end() == ["a", "b"])
    console.mustGet(nil)
  }

  @Test func `one wake-up is enough until the reader reads`() {
    #expect(console.setPrompt("1> "))
    #expect(!console.setPrompt("2> "))
    #expect(!console.setPrompt("3> "))
    #expect(console.takeWork().prompt == "3> ")
    #expect(console.setPrompt("4> "))
  }

  @Test func `a prompt that has not changed wakes no reader`() {
    #expect(!console.setPrompt("> "))
  }

  @Test func `output keeps its order and is taken once`() {
    let (one, two) = (ConsoleOutput("one", to: .output), ConsoleOutput("two", to: .error))
    #expect(console.queues(one) && console.queues(two))
    #expect(console.takeWork().outputs == [one, two])
    #expect(console.takeWork().outputs == [])
  }

  @Test func `of rows that accumulate only the newest are shown, and once`() {
    #expect(console.paint(["one"]))
    #expect(!console.paint(["two"]))
    #expect(console.takeWork().pane == ["two"])
    #expect(console.takeWork().pane == nil)
    #expect(console.paint([]))
    #expect(console.takeWork().pane == [])
  }

  @Test func `after the last output there is nothing to paint on`() {
    _ = console.takeLastOutputs()
    #expect(!console.paint(["late"]))
    #expect(console.takeWork().pane == nil)
  }

  @Test func `callers write themselves only once the last output is taken`() {
    let output = ConsoleOutput("one", to: .output)
    #expect(console.queues(output))
    #expect(console.takeLastOutputs() == [output])
    #expect(console.queues(output), "or it would overtake the one being written")
    #expect(console.takeLastOutputs() == [output])
    #expect(console.takeLastOutputs() == [])
    #expect(!console.queues(output))
  }

  @Test func `without a terminal callers always write themselves`() {
    #expect(!TestConsole(queuesOutput: false).queues(ConsoleOutput("one", to: .output)))
  }
}

/// The state in a place where expectations may change it.
private final class TestConsole {
  private var state: ConsoleState<String>
  /// The lines that waiters were resumed with.
  private var delivered: [Numbered<InputLine>] = []

  init(queuesOutput: Bool = true) {
    state = ConsoleState(prompt: "> ", queuesOutput: queuesOutput)
  }

  func mustWait(_ waiter: String, id: Int) {
    guard case .waiting = state.request(waiter, id: id) else {
      Issue.record("\(waiter) got an answer")
      return
    }
  }

  func mustGet(_ line: InputLine?) {
    guard case .answered(let answer) = state.request("a prompt", id: 0), answer?.element == line
    else {
      Issue.record("the answer is not \(String(describing: line))")
      return
    }
  }

  func queues(_ output: ConsoleOutput) -> Bool {
    if case .queued = state.show(output) { true } else { false }
  }

  func cancelRequest(id: Int) -> String? { state.cancelRequest(id: id) }

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
