import Reactor
import ReactorTesting
import Synchronization
import Testing
import TestLimits

/// An exploration finds each of ten mistakes, and does not complain once it is corrected.
@Suite(.bounded) struct PlantedMistakeTests {
  /// Explores with a mistake and without it, and returns what is reported of the mistake.
  private func found(
    _ name: String, _ explored: @escaping @Sendable (_ isRight: Bool) async -> Void
  ) async -> String {
    let wrong = await texts { await explored(false) }
    #expect(wrong.count == 1)
    #expect(wrong.first?.contains("'\(name)' does not") == true)
    #expect(await texts { await explored(true) } == [])
    return wrong.first ?? ""
  }

  /// The lines of the steps in a printed test.
  private func steps(_ text: String) -> [String] {
    var steps: [String] = []
    for line in text.split(separator: "\n") {
      var step = String(line.drop { $0 == " " })
      guard [".send(", ".advance(", ".end("].contains(where: { step.hasPrefix($0) }) else {
        continue
      }
      if step.hasSuffix(",") { step.removeLast() }
      steps.append(step)
    }
    return steps
  }

  @Test func `a lost update between check and act`() async {
    let text = await found("the balance is what is left") { isRight in
      await explore(Account.self, actions: .from(.int(1...5)) { .withdraw($0) }) { run in
        run.model("the balance is what is left", 10) { left, action in
          if case .withdraw(let amount) = action, left >= amount { left -= amount }
        } agrees: {
          $0 == $1.balance
        }
        return Account(isRight: isRight) { try await run.delay(upTo: .seconds(1)) }
      }
    }
    #expect(steps(text).count <= 4)
  }

  @Test func `a stale result`() async {
    let text = await found("the results are those of the query") { isRight in
      await explore(Finder.self, actions: .from(.of("a", "b")) { .search($0) }) { run in
        run.whenIdle("the results are those of the query") { $0.found == $0.query }
        return Finder(isRight: isRight) { text in
          try await run.delay(upTo: .seconds(1))
          return text
        }
      }
    }
    #expect(steps(text).count <= 4)
  }

  @Test func `a missing lane`() async {
    let text = await found("one save at a time") { isRight in
      await explore(Editor.self, actions: .from(.of("a", "b")) { .write($0) }) { run in
        let overlaps = Shared((running: 0, most: 0))
        run.finally("one save at a time") { _ in overlaps.value.withLock { $0.most } <= 1 }
        return Editor(isRight: isRight) { _ in
          overlaps.value.withLock { $0 = ($0.running + 1, max($0.most, $0.running + 1)) }
          try await run.delay(upTo: .seconds(1))
          overlaps.value.withLock { $0.running -= 1 }
        }
      }
    }
    #expect(steps(text).count <= 3)
  }

  @Test func `saves in the wrong order`() async {
    let text = await found("the server has the last text") { isRight in
      await explore(Editor.self, actions: .from(.of("a", "b")) { .write($0) }) { run in
        let server = Shared("")
        run.finally("the server has the last text") { state in
          server.value.withLock { $0 } == state.text
        }
        return Editor(isRight: isRight) { text in
          try await run.delay(upTo: .seconds(1))
          server.value.withLock { $0 = text }
        }
      }
    }
    #expect(steps(text).count <= 3)
  }

  @Test func `a double submit`() async {
    let text = await found("there is one order") { isRight in
      await explore(Form.self, actions: .cases) { run in
        let orders = Shared(0)
        run.finally("there is one order") { _ in orders.value.withLock { $0 } <= 1 }
        return Form(isRight: isRight) {
          try await run.delay(upTo: .seconds(1))
        } order: {
          orders.value.withLock { $0 += 1 }
        }
      }
    }
    #expect(steps(text).count <= 3)
  }

  @Test func `a spinner that stays`() async {
    let text = await found("nothing is loading") { isRight in
      await explore(Loader.self, actions: .cases) { run in
        run.whenIdle("nothing is loading") { !$0.isLoading }
        return Loader(isRight: isRight) {
          try await run.delay(upTo: .seconds(1))
          if run.fails("offline") { throw Oops() }
          return 1
        }
      }
    }
    #expect(steps(text) == [".send(.load, world: [0, 1])"])
  }

  @Test func `an undo that forgets`() async {
    let text = await found("the lines") { isRight in
      await explore(
        Sketch.self, actions: .oneOf(.from(.int(0...9)) { .draw($0) }, .of(.undo))
      ) { run in
        run.model("the lines", [Int]()) { lines, action in
          switch action {
          case .draw(let line): lines.append(line)
          case .undo: _ = lines.popLast()
          }
        } agrees: {
          $0 == $1.lines
        }
        return Sketch(isRight: isRight)
      }
    }
    #expect(steps(text) == [".send(.draw(0))", ".send(.draw(0))", ".send(.undo)", ".send(.undo)"])
  }

  @Test func `an event that is shown twice`() async {
    let text = await found("it greets once") { isRight in
      await explore(Greeter.self, actions: .cases) { run in
        run.finally("it greets once") { [weak run] _ in (run?.outputs.count ?? 0) <= 1 }
        return Greeter(isRight: isRight) { try await run.delay(upTo: .seconds(1)) }
      }
    }
    #expect(steps(text).count <= 3)
  }

  @Test func `a cancelled effect that still emits`() async {
    let text = await found("what was cancelled is not done") { isRight in
      await explore(Upload.self, actions: .of(.upload, .cancel)) { run in
        run.whenIdle("what was cancelled is not done") { state in
          !(state.isDone && run.actions.last { $0 != .done } == .cancel)
        }
        return Upload(isRight: isRight, clock: run.clock)
      }
    }
    #expect(steps(text).count <= 3)
  }

  @Test func `a wrong debounce`() async {
    let text = await found("the last text is saved") { isRight in
      await explore(Draft.self, actions: .from(.of("a", "b")) { .write($0) }) { run in
        run.whenIdle("the last text is saved") { $0.saved == $0.text }
        return Draft(isRight: isRight, clock: run.clock)
      }
    }
    #expect(steps(text).count <= 4)
  }
}

/// A lock that closures share.
private final class Shared<Value: Sendable>: Sendable {
  let value: Mutex<Value>

  init(_ value: sending Value) { self.value = Mutex(value) }
}
