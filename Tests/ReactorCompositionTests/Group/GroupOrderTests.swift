import Reactor
import ReactorComposition
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// The order of members after others.
@Suite(.bounded) struct GroupOrderTests {
  @Test func `a member after another takes the action when the other's turn is over`() async throws
  {
    for _ in 0..<TestCounts.rounds(100) {
      let log = Log<String>()
      let group = ReactorGroup<Int>()
      let login = ScriptedReactor(
        onReduce: { _, action in log.append("login \(action)") }, script: ScriptedReactor.echo)
      let list = ScriptedReactor(
        onReduce: { _, action in log.append("list \(action)") }, script: ScriptedReactor.echo)
      try group.add(list, after: login)
      group.add(login)
      await group.send(1).settled
      #expect(log.entries == ["login 1", "list 1"])
    }
  }

  @Test func `it reads in the other's state what the action has led to at once`() async throws {
    for _ in 0..<TestCounts.rounds(100) {
      let login = ScriptedReactor { _, action in .of(action, action + 1) }
      let seen = Log<[Int]>()
      let list = ScriptedReactor { _, _ in .run { _ in seen.append(await login.currentState) } }
      let group = ReactorGroup<Int>()
      group.add(login)
      try group.add(list, after: login)
      await group.send(1).settled
      #expect(seen.entries == [[1, 2]])
    }
  }

  @Test func `it does not wait for effects`() async throws {
    let gate = Gate()
    let login = ScriptedReactor { _, _ in .run { _ in try await gate.wait() } }
    let list = ScriptedReactor()
    let group = ReactorGroup<Int>()
    group.add(login)
    try group.add(list, after: login)
    group.send(1)
    #expect(await list.state.first { $0 == [1] } == [1])
    gate.open()
  }

  @Test func `actions that are sent to it directly are not delayed meanwhile`() async throws {
    let login = HeldReactor()
    let list = ScriptedReactor()
    let group = ReactorGroup<Int>()
    group.add(login)
    try group.add(list, after: login)
    login.hold()
    let receipt = group.send(1)
    await list.send(2).settled
    #expect(await list.currentState == [2])
    login.release()
    await receipt.settled
    #expect(await list.currentState == [2, 1])
  }

  @Test func `two broadcasts reach it in their order, whichever waits`() async throws {
    let (login, cart) = (HeldReactor(), ScriptedReactor())
    let list = ScriptedReactor()
    let group = ReactorGroup<Int>()
    // Odd ones are for login, even ones for the cart; all are for the list.
    group.add(login) { $0 % 2 == 1 ? $0 : nil }
    group.add(cart) { $0 % 2 == 0 ? $0 : nil }
    try group.add(list, after: [login, cart])
    login.hold()
    let receipts = (1...4).map { group.send($0) }
    await receipts[1].parts(of: cart)
    #expect(await list.currentState == [])
    login.release()
    for receipt in receipts { await receipt.settled }
    #expect(await list.currentState == [1, 2, 3, 4])
  }

  @Test func `a member in between may map the action to nil`() async throws {
    for _ in 0..<TestCounts.rounds(50) {
      let log = Log<Int>()
      let reactors = (0..<3).map { index in
        ScriptedReactor(onReduce: { _, _ in log.append(index) }, script: ScriptedReactor.echo)
      }
      let group = ReactorGroup<Int>()
      group.add(reactors[0])
      try group.add(reactors[1], after: reactors[0]) { _ in nil }
      try group.add(reactors[2], after: reactors[1])
      await group.send(1).settled
      #expect(log.entries == [0, 2])
    }
  }

  @Test func `a long chain is followed to its end`() async throws {
    let log = Log<Int>()
    let group = ReactorGroup<Int>()
    var reactors: [ScriptedReactor] = []
    for index in 0..<50 {
      let reactor = ScriptedReactor(
        onReduce: { _, _ in log.append(index) }, script: ScriptedReactor.echo)
      if let last = reactors.last {
        try group.add(reactor, after: last)
      } else {
        group.add(reactor)
      }
      reactors.append(reactor)
    }
    for _ in 0..<10 { group.send(0) }
    await group.send(1).settled
    for start in stride(from: 0, to: 50, by: 1) {
      #expect(log.entries.filter { $0 == start }.count == 11)
    }
    for round in 0..<11 {
      // Of each round, the members in their order: the first of each that have not been counted.
      var places: [Int] = []
      for index in 0..<50 {
        let all = log.entries.indices.filter { log.entries[$0] == index }
        places.append(all[round])
      }
      #expect(places == places.sorted())
    }
  }

  @Test func `it does not wait for a member that is stopped, refuses or is released`() async throws
  {
    let (stopped, list) = (ScriptedReactor(), ScriptedReactor())
    var released: ScriptedReactor? = ScriptedReactor()
    let group = ReactorGroup<Int>()
    group.add(stopped)
    if let released {
      group.add(released)
      try group.add(list, after: [stopped, released])
    }
    await stopped.stop().settled
    released = nil
    let receipt = group.send(1)
    await receipt.settled
    #expect(await list.currentState == [1])
    #expect(receipt.refusals.map(\.reactor) == [stopped.identity])
    #expect(receipt.recipients == [stopped.identity, list.identity])
  }

  @Test func `it goes on when the other is released in the middle`() async throws {
    for _ in 0..<TestCounts.rounds(50) {
      var login: ScriptedReactor? = ScriptedReactor()
      let list = ScriptedReactor()
      let group = ReactorGroup<Int>()
      if let login {
        group.add(login)
        try group.add(list, after: login)
      }
      let receipts = (0..<10).map { group.send($0) }
      login = nil
      for receipt in receipts { await receipt.settled }
      #expect(await list.currentState == Array(0..<10))
    }
  }

  @Test func `it goes on when the other's action is cancelled before its turn`() async throws {
    let (login, list) = (HeldReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>()
    group.add(login)
    try group.add(list, after: login)
    login.hold()
    let (first, second) = (group.send(1), group.send(2))
    first.cancel()
    login.release()
    await second.settled
    await first.settled
    #expect(await list.currentState == [2])
    #expect(await login.currentState == [2])
    for (_, outcome) in await first.outcomes {
      if case .cancelled = outcome { continue }
      Issue.record("\(outcome)")
    }
  }

  @Test func `a member that refuses at its turn is in the refusals then`() async throws {
    let (login, list) = (HeldReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>()
    group.add(login)
    try group.add(list, after: login)
    login.hold()
    let receipt = group.send(1)
    #expect(receipt.refusals.isEmpty)
    await list.stop().settled
    login.release()
    await receipt.settled
    #expect(receipt.refusals == [GroupRefusal(reactor: list.identity, reason: .stopped)])
  }

  @Test func `a cycle is refused when it is declared, and printed`() async throws {
    let (one, two, three) = (ScriptedReactor(), ScriptedReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>()
    group.add(one)
    try group.add(two, after: one)
    try group.add(three, after: two)
    let cycle = #expect(throws: CyclicOrderError.self) { try group.add(one, after: three) }
    #expect(
      cycle?.members == [one.identity, three.identity, two.identity, one.identity])
    #expect(
      cycle?.description
        == "\(one.identity) after \(three.identity) after \(two.identity) after \(one.identity)")
    // Nothing has changed.
    await group.send(1).settled
    #expect(await three.currentState == [1])
    #expect(await one.currentState == [1])
  }

  @Test func `no member can come after itself`() {
    let one = ScriptedReactor()
    let group = ReactorGroup<Int>()
    let cycle = #expect(throws: CyclicOrderError.self) { try group.add(one, after: one) }
    #expect(cycle?.members == [one.identity, one.identity])
    #expect(group.members.isEmpty)
  }

  @Test func `a cycle over several groups is refused`() throws {
    let (one, two, three) = (ScriptedReactor(), ScriptedReactor(), ScriptedReactor())
    let groups = (0..<3).map { _ in ReactorGroup<Int>() }
    try groups[0].add(two, after: one)
    try groups[1].add(three, after: two)
    #expect(throws: CyclicOrderError.self) { try groups[2].add(one, after: three) }
    // Once the one in the middle has left, there is none.
    groups[1].remove(three)
    try groups[2].add(one, after: three)
  }

  @Test func `the order holds in every group of its members`() async throws {
    for _ in 0..<TestCounts.rounds(50) {
      let log = Log<String>()
      let login = ScriptedReactor(
        onReduce: { _, _ in log.append("login") }, script: ScriptedReactor.echo)
      let list = ScriptedReactor(
        onReduce: { _, _ in log.append("list") }, script: ScriptedReactor.echo)
      let (declaring, other) = (ReactorGroup<Int>(), ReactorGroup<Int>())
      try declaring.add(list, after: login)
      other.add(list)
      other.add(login)
      await other.send(1).settled
      #expect(log.entries == ["login", "list"])
    }
  }
}

extension GroupReceipt {
  /// Waits until a reactor has nothing to do.
  fileprivate func parts(of reactor: ScriptedReactor) async { await reactor.send(-1).settled }
}

/// A reactor that a test can hold in the middle of a turn, without holding a thread: its executor
/// runs nothing meanwhile.
actor HeldReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()
  private nonisolated let executor = HoldableExecutor()

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func hold() { executor.hold() }
  nonisolated func release() { executor.release() }
}

/// Runs jobs one after another on the global pool, except while it is held.
///
/// Holds: `state`, guarded by its own lock; jobs run outside it.
final class HoldableExecutor: SerialExecutor {
  private struct State: Sendable {
    var jobs: [UnownedJob] = []
    var isHeld = false
    var isRunning = false
  }

  private let state = Guarded(State())

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    state.withLock { $0.jobs.append(job) }
    run()
  }

  func hold() { state.withLock { $0.isHeld = true } }

  func release() {
    state.withLock { $0.isHeld = false }
    run()
  }

  private func run() {
    let begins = state.withLock { state in
      guard !state.isRunning, !state.isHeld, !state.jobs.isEmpty else { return false }
      state.isRunning = true
      return true
    }
    guard begins else { return }
    Task.detached { [self] in
      while let job = next() { job.runSynchronously(on: asUnownedSerialExecutor()) }
    }
  }

  private func next() -> UnownedJob? {
    state.withLock { state in
      guard !state.isHeld, !state.jobs.isEmpty else {
        state.isRunning = false
        return nil
      }
      return state.jobs.removeFirst()
    }
  }
}
