import TestLimits
import Testing

@testable import ReactorInstrumentation

/// A difference between two states as text.
@Suite(.bounded) struct StateDifferenceTests {
  struct Todo: Sendable {
    var title = "Milk"
    var isDone = false
  }

  enum Phase: Sendable { case idle, loading(page: Int), failed(String) }

  struct State: Sendable {
    var todos = [Todo(), Todo(title: "Bread")]
    var phase = Phase.idle
    var names: Set<String> = ["b", "a"]
    var pages: [String: Int] = ["x": 1, "y": 2]
    var selected: Int?
  }

  private func difference(_ change: (inout State) -> Void) -> String {
    let old = State()
    var new = old
    change(&new)
    return StateDifference.text(from: old, to: new)
  }

  @Test func `equal states have an empty difference`() {
    #expect(difference { _ in } == "")
  }

  @Test func `a changed part is shown with what contains it`() {
    #expect(
      difference { $0.todos[1].isDone = true } == """
          State
            todos: 2 elements
              [1]: Todo
        -       isDone: false
        +       isDone: true
        """)
  }

  @Test func `a new part is shown`() {
    #expect(
      difference { $0.todos.append(Todo(title: "Salt")) } == """
          State
        -   todos: 2 elements
        +   todos: 3 elements
        +     [2]: Todo
        +       title: "Salt"
        +       isDone: false
        """)
  }

  @Test func `another case is shown, with what it carries`() {
    #expect(
      difference { $0.phase = .loading(page: 2) } == """
          State
        -   phase: idle
        +   phase: loading
        +     page: 2
        """)
  }

  @Test func `an optional is shown as what it holds`() {
    #expect(
      difference { $0.selected = 3 } == """
          State
        -   selected: nil
        +   selected: 3
        """)
  }

  @Test func `sets and dictionaries have one order`() {
    #expect(
      difference {
        $0.names.insert("c")
        $0.pages["y"] = 5
      } == """
          State
        -   names: 2 elements
        +   names: 3 elements
        +     "c"
            pages: 2 elements
        -     "y": 2
        +     "y": 5
        """)
  }

  @Test func `a plain value is shown old and new`() {
    #expect(StateDifference.text(from: 1, to: 2) == "- 1\n+ 2")
  }
}
