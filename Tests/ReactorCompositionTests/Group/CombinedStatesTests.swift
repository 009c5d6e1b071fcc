import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct CombinedStatesTests {
  @Test func `the current states come first, then every change`() async {
    let (numbers, profile) = (ScriptedReactor(), ProfileReactor())
    await numbers.send(1).settled
    var both = combining(numbers.state, profile.state).makeAsyncIterator()
    var first = await both.next()
    #expect(first?.0 == [1])
    #expect(first?.1.age == 0)
    await profile.send(.setAge(7)).settled
    first = await both.next()
    #expect(first?.0 == [1])
    #expect(first?.1.age == 7)
    await numbers.send(2).settled
    first = await both.next()
    #expect(first?.0 == [1, 2])
    #expect(first?.1.age == 7)
  }

  @Test func `a broadcast changes all states at once`() async {
    for _ in 0..<TestCounts.rounds(20) {
      let (one, two, other) = (ScriptedReactor(), ScriptedReactor(), ScriptedReactor())
      let group = ReactorGroup<Int>()
      group.add(one)
      group.add(two)
      let all = combining(one.state, two.state, other.state)
      let observer = Task {
        var shown: [[Int]] = []
        for await (one, two, _) in all {
          #expect(one == two)
          shown.append(one)
          if one.count == 400 { break }
        }
        return shown
      }
      await withTaskGroup(of: Void.self) { tasks in
        for task in 0..<4 {
          tasks.addTask {
            for number in 0..<100 {
              group.send(task * 1000 + number)
              if number % 10 == 0 { other.send(number) }
            }
          }
        }
      }
      let shown = await observer.value
      #expect(shown.last?.count == 400)
    }
  }

  @Test func `several states of one turn are shown as the last of them`() async {
    let one = ScriptedReactor { _, action in .of(action, -action) }
    let two = ScriptedReactor { _, action in .of(action, action, action) }
    let group = ReactorGroup<Int>()
    group.add(one)
    group.add(two)
    var both = combining(one.state, two.state).makeAsyncIterator()
    _ = await both.next()
    await group.send(1).settled
    let next = await both.next()
    #expect(next?.0 == [1, -1])
    #expect(next?.1 == [1, 1, 1])
  }

  @Test func `a member that takes a broadcast and changes nothing delays no other`() async {
    let (one, two) = (ScriptedReactor(), ScriptedReactor { _, _ in .empty })
    let group = ReactorGroup<Int>()
    group.add(one)
    group.add(two)
    var both = combining(one.state, two.state).makeAsyncIterator()
    _ = await both.next()
    group.send(1)
    let next = await both.next()
    #expect(next?.0 == [1])
    #expect(next?.1 == [])
  }

  @Test func `what effects emit is shown when it is emitted`() async {
    let gate = Gate()
    let one = ScriptedReactor()
    let two = ScriptedReactor { _, action in
      .run { emit in
        await emit(action)
        try await gate.wait()
        await emit(-action)
      }
    }
    let group = ReactorGroup<Int>()
    group.add(one)
    group.add(two)
    var both = combining(one.state, two.state).makeAsyncIterator()
    _ = await both.next()
    group.send(1)
    var next = await both.next()
    #expect(next?.0 == [1])
    #expect(next?.1 == [1])
    gate.open()
    next = await both.next()
    #expect(next?.0 == [1])
    #expect(next?.1 == [1, -1])
  }

  @Test func `until the last member's turn has ended, all are shown as before`() async throws {
    let (quick, held) = (ScriptedReactor(), HeldReactor())
    let group = ReactorGroup<Int>()
    group.add(quick)
    group.add(held)
    let both = combining(quick.state, held.state)
    var iterator = both.makeAsyncIterator()
    _ = await iterator.next()
    held.hold()
    let receipt = group.send(1)
    await quick.send(2).settled
    #expect(await quick.currentState == [1, 2])
    var late = both.makeAsyncIterator()
    let before = await late.next()
    #expect(before?.0 == [])
    held.release()
    await receipt.settled
    let after = await late.next()
    #expect(after?.0 == [1])
    #expect(after?.1 == [1])
    #expect(await late.next()?.0 == [1, 2])
  }

  @Test func `an observer that begins amid a broadcast sees no part of it`() async {
    for _ in 0..<TestCounts.rounds(200) {
      let (one, two) = (ScriptedReactor(), ScriptedReactor())
      let group = ReactorGroup<Int>()
      group.add(one)
      group.add(two)
      async let sent: Void = {
        for number in 0..<20 { group.send(number) }
      }()
      for await (one, two) in combining(one.state, two.state) {
        #expect(one == two)
        if one.count == 20 { break }
      }
      await sent
    }
  }

  @Test func `it holds for members after others, and for those that join later`() async throws {
    for _ in 0..<TestCounts.rounds(20) {
      let (one, two) = (ScriptedReactor(), ScriptedReactor())
      let both = combining(one.state, two.state)
      var iterator = both.makeAsyncIterator()
      _ = await iterator.next()
      let group = ReactorGroup<Int>()
      group.add(one)
      try group.add(two, after: one)
      for number in 0..<20 { group.send(number) }
      while let (one, two) = await iterator.next() {
        #expect(one == two)
        if one.count == 20 { break }
      }
    }
  }

  @Test func `a refused broadcast is shown for the members that took it`() async {
    let (one, stopped) = (ScriptedReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>()
    group.add(one)
    group.add(stopped)
    var both = combining(one.state, stopped.state).makeAsyncIterator()
    _ = await both.next()
    await stopped.stop().settled
    await group.send(1).settled
    let next = await both.next()
    #expect(next?.0 == [1])
    #expect(next?.1 == [])
  }

  @Test func `it goes on when a member is released in the middle of a broadcast`() async {
    for _ in 0..<TestCounts.rounds(50) {
      let one = ScriptedReactor()
      var two: ScriptedReactor? = ScriptedReactor()
      let group = ReactorGroup<Int>()
      group.add(one)
      if let two { group.add(two) }
      guard let state = two?.state else { return }
      var both = combining(one.state, state).makeAsyncIterator()
      _ = await both.next()
      for number in 0..<5 { group.send(number) }
      two = nil
      while let next = await both.next() {
        if next.0.count == 5 { break }
      }
    }
  }

  @Test func `it ends when all have ended, with the last states`() async {
    let (one, two) = (ScriptedReactor(), ScriptedReactor())
    let both = combining(one.state, two.state)
    let observer = Task { await both.collected() }
    while await one.currentState.isEmpty { await one.send(1).settled }
    await one.stop().settled
    await two.send(2).settled
    await two.stop().settled
    let last = await observer.value.last
    #expect(last?.0 == [1])
    #expect(last?.1 == [2])
  }

  @Test func `select works as on one state, also for the newest only`() async {
    let (numbers, profile) = (ScriptedReactor(), ProfileReactor())
    let both = combining(numbers.state, profile.state)
    var sums = both.select { $0.reduce(0, +) + $1.age }.makeAsyncIterator()
    #expect(await sums.next() == 0)
    await profile.send(.setName("Ann")).settled
    await profile.send(.setAge(7)).settled
    #expect(await sums.next() == 7)
    await numbers.send(1).settled
    #expect(await sums.next() == 8)
    for await (list, state) in both.buffering(.newest) {
      #expect(list == [1])
      #expect(state.age == 7)
      break
    }
  }

  @Test func `it holds behind hooks that pass everything`() async {
    for _ in 0..<TestCounts.rounds(20) {
      let (plain, hooked, slow) = (ScriptedReactor(), HookedListReactor(), SlowHookReactor())
      let group = ReactorGroup<Int>()
      group.add(plain)
      group.add(hooked)
      group.add(slow)
      let all = combining(plain.state, hooked.state, slow.state)
      async let sent: Void = { for number in 0..<50 { group.send(number) } }()
      for await (one, two, three) in all {
        #expect(one == two)
        #expect(one == three)
        if one.count == 50 { break }
      }
      await sent
    }
  }

  @Test func `nothing is retained when no observer is left`() async {
    var gates: [Gate] = []
    do {
      let (one, two) = (ScriptedReactor(), ScriptedReactor())
      gates = [one.released, two.released]
      let group = ReactorGroup<Int>()
      group.add(one)
      group.add(two)
      for _ in 0..<TestCounts.rounds(1000) {
        let both = combining(one.state, two.state)
        for await _ in both {
          group.send(1)
          break
        }
      }
      await group.send(2).settled
      // The last iterator may just be being released.
      for reactor in [one, two] { #expect(reactor.pipeline.combinationCount <= 1) }
    }
    for gate in gates { await gate.pass() }
  }
}
