import Reactor
import ReactorTesting
import Synchronization
import Testing
import TestLimits

/// Which values a choice has, and that the first one is the tamest.
@Suite(.bounded) struct ChoiceTests {
  /// The values that an exploration chooses.
  private func values<Value: Sendable>(of choice: Choice<Value>) async -> [Value] {
    let all = Mutex<[Value]>([])
    await explore(Chooser<Int>.self, actions: .of(1), steps: 1, runs: 200) { run in
      run.finally("it is noted") { _ in
        let value = run.choose(choice, "value")
        all.withLock { $0.append(value) }
        return true
      }
      return Chooser()
    }
    return all.withLock { $0 }
  }

  /// The source of the value that a failure is shrunk to.
  private func shrunk<Value: Sendable>(
    _ choice: Choice<Value>, _ fails: @escaping @Sendable (Value) -> Bool
  ) async -> String? {
    let texts = await texts {
      await explore(Chooser<Value>.self, actions: choice, steps: 3, runs: 300) { run in
        run.finally("all fit") { _ in !run.actions.contains(where: fails) }
        return Chooser()
      }
    }
    return texts.first?.split(separator: "\n").map { $0.drop { $0 == " " } }
      .first { $0.hasPrefix(".send(") }.map { String($0.dropFirst(6).dropLast()) }
  }

  @Test func `whole numbers are all numbers of the range`() async {
    #expect(Set(await values(of: .int(-2...3))) == [-2, -1, 0, 1, 2, 3])
    #expect(Set(await values(of: .int(-4...(-2)))) == [-4, -3, -2])
    #expect(Set(await values(of: .int(-1...1))) == [-1, 0, 1])
    #expect(await values(of: .int(5...5)).allSatisfy { $0 == 5 })
  }

  @Test func `numbers shrink towards zero`() async {
    #expect(await shrunk(.int(-50...50)) { abs($0) > 7 } == "8")
    #expect(await shrunk(.int(-50...50)) { $0 < -7 } == "-8")
    #expect(await shrunk(.int(20...50)) { $0 > 30 } == "31")
    #expect(await shrunk(.int(-50...(-20))) { $0 < -30 } == "-31")
  }

  @Test func `texts and arrays become short`() async {
    #expect(await shrunk(.text(count: 0...6)) { $0.count > 2 } == "\"aaa\"")
    #expect(await shrunk(.text()) { $0.contains("c") } == "\"c\"")
    #expect(await shrunk(Choice.int(0...9).array(count: 0...5)) { $0.contains(3) } == "[3]")
  }

  @Test func `alternatives keep their weights`() async {
    let all = await values(of: .weighted((9, .of("often")), (1, .of("rarely"))))
    let rare = all.count { $0 == "rarely" }
    #expect(rare > 0)
    #expect(rare < all.count / 4)
  }

  @Test func `empty choices are left out`() async {
    let all = await values(of: Choice<Int>.oneOf(.element(of: []), .of(1), .element(of: [])))
    #expect(all.allSatisfy { $0 == 1 })
    #expect(Choice<Int>.oneOf(.element(of: [])).isEmpty)
    #expect(Choice<Int>.element(of: []).map { "\($0)" }.isEmpty)
    #expect(Choice<Int>.element(of: []).and(.of(1)).isEmpty)
    #expect(!Choice<Int>.element(of: []).optional.isEmpty)
  }

  @Test func `pairs, optionals and dependent choices`() async {
    let pairs = await values(of: Choice<Int>.int(0...1).and(.bool).map { "\($0) \($1)" })
    #expect(Set(pairs) == ["0 false", "0 true", "1 false", "1 true"])
    #expect(Set(await values(of: Choice<Int>.of(1).optional)) == [nil, 1])
    let dependent = Choice<Int>.int(1...2).flatMap { size in
      Choice<Int>.of(0).array(count: size...size)
    }
    #expect(Set(await values(of: dependent)) == [[0], [0, 0]])
    #expect(
      Set(await values(of: .milliseconds(1...2))) == [.milliseconds(1), .milliseconds(2)])
  }
}

private actor Chooser<Value: Sendable>: Reactor {
  typealias Action = Value
  typealias Mutation = Value

  let initialState = 0
  let pipeline = Pipeline()

  func reduce(state: inout Int, mutation: Value) {}
}
