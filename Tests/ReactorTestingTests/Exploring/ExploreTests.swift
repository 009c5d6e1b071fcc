import Foundation
import Reactor
import ReactorTesting
import Synchronization
import Testing
import TestLimits

/// What an exploration runs, prints and counts.
@Suite(.bounded) struct ExploreTests {
  @Test func `a failure is printed as a test with the closure of the call`() async throws {
    let texts = await texts {
      await explore(Sketch.self, actions: .from(.int(0...9)) { .draw($0) }) { run in
        // A brace in a comment: {
        run.always("there are at most two lines") { $0.lines.count <= 2 }
        return Sketch(isRight: true)
      }
    }
    let text = try #require(texts.first)
    #expect(
      text.contains(
        """
          @Test func `there are at most two lines`() async throws {
            await replay(
              Sketch.self,
              .send(.draw(0)),
              .send(.draw(0)),
              .send(.draw(0))
            ) { run in
              // A brace in a comment: {
              run.always("there are at most two lines") { $0.lines.count <= 2 }
              return Sketch(isRight: true)
            }
          }
        """.replacing("\n  ", with: "\n").dropFirst(2)))
    #expect(text.hasPrefix("Sketch: 'there are at most two lines' does not hold in State("))
    #expect(text.contains("0: began with"))
    #expect(text.contains("actions: "))
  }

  @Test func `the test that is printed fails`() async {
    let texts = await texts {
      await replay(
        Sketch.self,
        .send(.draw(0)),
        .send(.draw(0)),
        .send(.draw(0))
      ) { run in
        run.always("there are at most two lines") { $0.lines.count <= 2 }
        return Sketch(isRight: true)
      }
    }
    #expect(texts.count == 1)
    #expect(texts[0].hasPrefix("Sketch: 'there are at most two lines' does not hold in"))
  }

  @Test func `tests that were printed fail, and pass once the reactor is corrected`() async {
    func replays(_ isRight: Bool) async -> [String] {
      await texts {
        await replay(Loader.self, .send(.load, world: [0, 1])) { run in
          run.whenIdle("nothing is loading") { !$0.isLoading }
          return Loader(isRight: isRight) {
            try await run.delay(upTo: .seconds(1))
            if run.fails("offline") { throw Oops() }
            return 1
          }
        }
        await replay(Finder.self, .send(.search("b"), world: [1]), .send(.search("a"))) { run in
          run.whenIdle("the results are those of the query") { $0.found == $0.query }
          return Finder(isRight: isRight) { text in
            try await run.delay(upTo: .seconds(1))
            return text
          }
        }
        await replay(Upload.self, .send(.upload), .send(.cancel)) { run in
          run.whenIdle("what was cancelled is not done") { state in
            !(state.isDone && run.actions.last { $0 != .done } == .cancel)
          }
          return Upload(isRight: isRight, clock: run.clock)
        }
      }.map { String($0.prefix { $0 != ":" }) }
    }
    #expect(await replays(false) == ["Loader", "Finder", "Upload"])
    #expect(await replays(true) == [])
  }

  @Test func `a run without a failure is repeated without one`() async {
    await replay(Sketch.self, .send(.draw(1)), .advance(by: .seconds(1)), .send(.undo)) { run in
      run.finally("nothing is left") { $0.lines == [] }
      return Sketch(isRight: true)
    }
  }

  @Test func `an order of tasks is shrunk and printed`() async throws {
    let texts = await texts {
      await explore(Racer.self, actions: .cases) { run in
        run.finally("the first is first") { $0 != ["second", "first"] }
        return Racer()
      }
    }
    let text = try #require(texts.first)
    #expect(text.contains(".send(.race, order: ["))
    #expect(text.matches(of: /\n +\.send/).count == 1)
  }

  @Test func `an order that was printed repeats`() async throws {
    let found = Mutex<[[String]]>([])
    for order in [[], [0, 1]] {
      await replay(Racer.self, .send(.race, order: order)) { run in
        run.finally("it is noted") { state in
          found.withLock { $0.append(state) }
          return true
        }
        return Racer()
      }
    }
    #expect(Set(found.withLock { $0 }).count == 2)
  }

  @Test func `the same runs each time`() async {
    func summary() async -> String {
      let summary = await explore(Finder.self, actions: .from(.text()) { .search($0) }, runs: 40) {
        run in
        Finder(isRight: true) { text in
          try await run.delay(upTo: .seconds(1))
          return text
        }
      }
      return "\(summary)"
    }
    let first = await summary()
    #expect(await summary() == first)
    #expect(first.hasPrefix("40 runs, "))
    #expect(first.contains("'search': evicted"))
  }

  @Test func `what happened is counted`() async {
    let summary = await explore(Loader.self, actions: .cases, runs: 60) { run in
      run.sometimes("something is loading") { $0.isLoading }
      return Loader(isRight: true) {
        try await run.delay(upTo: .seconds(1))
        if run.fails("offline") { throw Oops() }
        return run.choose(.int(1...3), "items")
      }
    }
    #expect(summary.runs == 60)
    #expect((summary.actions["load"] ?? 0) > 60)
    #expect((summary.lanes["'load': dropped"] ?? 0) > 0)
    #expect((summary.sometimes["something is loading"] ?? 0) > 0)
    #expect("\(summary)".contains("'offline': false "))
    #expect("\(summary)".contains("'items': 1 "))
  }

  @Test func `a state that is never reached fails`() async {
    let texts = await texts {
      await explore(Sketch.self, actions: .of(.undo), runs: 5) { run in
        run.sometimes("there is a line") { !$0.lines.isEmpty }
        return Sketch(isRight: true)
      }
    }
    #expect(texts.count == 1)
    #expect(texts[0].hasPrefix("Sketch: 'there is a line' held in none of 5 runs; "))
  }

  @Test func `a reactor that the choices do not decide is reported`() async {
    let count = Atomic(0)
    let texts = await texts {
      await explore(Loader.self, actions: .cases) { run in
        Loader(isRight: true) {
          let number = count.add(1, ordering: .relaxed).newValue
          for _ in 0..<number % 7 { _ = run.fails("offline") }
          return 1
        }
      }
    }
    #expect(texts.count == 1)
    #expect(texts[0].contains("took another course when it was repeated"))
  }

  @Test func `a check that throws and a scenario that never rests are failures`() async {
    let thrown = await texts {
      await explore(Sketch.self, actions: .of(.undo), runs: 3) { run in
        run.finally("it can be read") { _ in throw Oops() }
        return Sketch(isRight: true)
      }
    }
    #expect(thrown.count == 1)
    #expect(thrown.first?.hasPrefix("Sketch: 'it can be read' threw: Oops(). ") == true)
    let endless = await texts {
      await explore(Looper.self, actions: .cases, steps: 2, runs: 8) { _ in Looper() }
    }
    #expect(endless.first?.contains("the scenario never rests") == true)
  }

  @Test func `an issue ends the search and is not shrunk`() async {
    let texts = await texts {
      await explore(Sketch.self, actions: .of(.undo)) { run in
        run.finally("it is recorded") { _ in
          Issue.record("recorded")
          return false
        }
        return Sketch(isRight: true)
      }
    }
    #expect(texts == ["recorded"])
  }

  @Test func `actions can depend on the state`() async {
    let summary = await explore(Sketch.self) { state in
      .oneOf(.from(.element(of: state.lines)) { .draw($0 + 1) }, .of(.draw(1), .undo))
    } setUp: { run in
      run.sometimes("a line was made of another") { $0.lines.contains(3) }
      return Sketch(isRight: true)
    }
    #expect((summary.actions["draw"] ?? 0) > 0)
  }

  @Test func `numbers of the run's generator shrink`() async throws {
    let texts = await texts {
      await explore(Dice.self, actions: .cases) { run in
        run.always("no six") { $0 != 6 }
        return Dice(random: run.simulation.random)
      }
    }
    #expect(try #require(texts.first).matches(of: /\n +\.send/).count == 1)
  }
}

/// Starts two tasks, and notes the order in which they emit.
private actor Racer: Reactor {
  enum Action: CaseIterable { case race }

  let initialState: [String] = []
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<String> {
    .run { emit in
      await withTaskGroup(of: Void.self) { group in
        for name in ["first", "second"] { group.addTask { await emit(name) } }
      }
    }
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }
}

/// Never rests.
private actor Looper: Reactor {
  enum Action: CaseIterable { case loop }

  let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> {
    send(.loop)
    return .just(1)
  }

  func reduce(state: inout Int, mutation: Int) { state &+= mutation }
}

private actor Dice: Reactor {
  enum Action: CaseIterable { case roll }

  let initialState = 0
  let pipeline = Pipeline()
  private let random: SimulatedRandom

  init(random: SimulatedRandom) { self.random = random }

  func mutate(action: Action) -> MutationStream<Int> {
    var random = random
    return .just(Int.random(in: 1...6, using: &random))
  }

  func reduce(state: inout Int, mutation: Int) { state = mutation }
}
