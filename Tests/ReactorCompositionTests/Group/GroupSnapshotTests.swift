import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct GroupSnapshotTests {
  @Test func `a snapshot has the state of every member, by its type`() async {
    let (numbers, profile, stranger) = (ScriptedReactor(), ProfileReactor(), ScriptedReactor())
    let group = ReactorGroup<AppAction>()
    group.add(numbers) { action in if case .add(let number) = action { number } else { nil } }
    group.add(profile) { action in
      if case .add(let number) = action { .setAge(number) } else { nil }
    }
    group.send(.add(3))
    let snapshot = await group.snapshot()
    #expect(snapshot.isComplete)
    #expect(snapshot[numbers] == [3])
    #expect(snapshot[profile]?.age == 3)
    #expect(snapshot[stranger] == nil)
    #expect(Set(snapshot.all.keys) == [numbers.identity, profile.identity])
    let (some, none) = await group.snapshot(of: profile, stranger)
    #expect(some?.age == 3)
    #expect(none == nil)
  }

  @Test func `an action for all members is in each state of a snapshot or in none`() async {
    for _ in 0..<TestCounts.rounds(10) {
      let members = (0..<4).map { _ in ScriptedReactor() }
      let group = ReactorGroup<Int>()
      for member in members { group.add(member) }
      await withTaskGroup(of: Void.self) { tasks in
        for task in 0..<4 {
          tasks.addTask { for number in 0..<100 { group.send(task * 1000 + number) } }
        }
        for _ in 0..<2 {
          tasks.addTask {
            for _ in 0..<20 {
              let snapshot = await group.snapshot()
              let states = Set(members.map { snapshot[$0] })
              #expect(states.count == 1)
            }
          }
        }
      }
    }
  }

  @Test func `it holds where some members come after others`() async throws {
    for _ in 0..<TestCounts.rounds(10) {
      let members = (0..<4).map { _ in ScriptedReactor() }
      let group = ReactorGroup<Int>()
      group.add(members[0])
      try group.add(members[1], after: members[0])
      try group.add(members[2], after: [members[0], members[1]])
      group.add(members[3])
      await withTaskGroup(of: Void.self) { tasks in
        for task in 0..<4 {
          tasks.addTask { for number in 0..<50 { group.send(task * 1000 + number) } }
        }
        tasks.addTask {
          for _ in 0..<20 {
            let snapshot = await group.snapshot()
            #expect(Set(members.map { snapshot[$0] }).count == 1)
          }
        }
      }
    }
  }

  @Test func `money that is being transferred is missing, never there twice`() async {
    for _ in 0..<TestCounts.rounds(10) {
      let accounts = (0..<3).map { _ in AccountReactor() }
      let group = ReactorGroup<Int>()
      for account in accounts { group.add(account) { _ in nil } }
      for (index, account) in accounts.enumerated() {
        account.send(.meet(accounts[(index + 1) % 3]))
      }
      await withTaskGroup(of: Void.self) { tasks in
        for account in accounts {
          tasks.addTask { for _ in 0..<100 { account.send(.pay(1)) } }
        }
        tasks.addTask {
          for _ in 0..<30 {
            let snapshot = await group.snapshot()
            let sum = accounts.reduce(0) { $0 + (snapshot[$1]?.balance ?? 0) }
            #expect(sum <= 300)
          }
        }
      }
      for account in accounts { await account.send(.pay(0)).settled }
      for account in accounts { await account.send(.pay(0)).settled }
      let snapshot = await group.snapshot()
      #expect(accounts.reduce(0) { $0 + (snapshot[$1]?.balance ?? 0) } == 300)
    }
  }

  @Test func `no member waits for a snapshot`() async {
    let (held, other) = (HeldReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>()
    group.add(held)
    group.add(other)
    held.hold()
    async let snapshot = group.snapshot()
    await other.send(1).settled
    group.send(2)
    await other.send(3).settled
    #expect(await other.currentState == [1, 2, 3])
    held.release()
    #expect(await snapshot.isComplete)
  }

  @Test func `a stopped member shows its last state, a released one none`() async {
    let stopped = ScriptedReactor()
    var released: ScriptedReactor? = ScriptedReactor()
    let group = ReactorGroup<Int>()
    group.add(stopped)
    if let released { group.add(released) }
    await group.send(1).settled
    await stopped.stop().settled
    let gate = released?.released
    released = nil
    await gate?.pass()
    let snapshot = await group.snapshot()
    #expect(snapshot.isComplete)
    #expect(snapshot[stopped] == [1])
    #expect(snapshot.all.count == 1)
  }

  @Test func `a cancelled task gets the states that have arrived by then`() async {
    let (held, other) = (HeldReactor(), ScriptedReactor())
    let group = ReactorGroup<Int>()
    group.add(held)
    group.add(other)
    held.hold()
    let task = Task {
      await group.snapshot()
    }
    await other.send(1).settled
    task.cancel()
    let snapshot = await task.value
    #expect(!snapshot.isComplete)
    #expect(snapshot[held] == nil)
    held.release()
  }

  @Test func `behind a hook that passes everything, it is exact`() async {
    for _ in 0..<TestCounts.rounds(20) {
      let (plain, hooked, slow) = (ScriptedReactor(), HookedListReactor(), SlowHookReactor())
      let group = ReactorGroup<Int>()
      group.add(plain)
      group.add(hooked)
      group.add(slow)
      await withTaskGroup(of: Void.self) { tasks in
        for task in 0..<2 {
          tasks.addTask { for number in 0..<50 { group.send(task * 1000 + number) } }
        }
        tasks.addTask {
          for _ in 0..<10 {
            let snapshot = await group.snapshot()
            #expect(snapshot[plain] == snapshot[hooked])
            #expect(snapshot[plain] == snapshot[slow])
          }
        }
      }
    }
  }
}

/// Pays what it has to the next one.
actor AccountReactor: Reactor {
  enum Action: Sendable { case meet(AccountReactor), pay(Int), receive(Int) }
  enum Mutation: Sendable { case add(Int), send(Int) }
  struct State: Sendable { var balance = 100 }

  let initialState = State()
  let pipeline = Pipeline()
  private weak var next: AccountReactor?

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .meet(let account):
      next = account
      return .empty
    case .pay(let amount): return .just(.send(amount))
    case .receive(let amount): return .just(.add(amount))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let amount): state.balance += amount
    case .send(let amount):
      state.balance -= amount
      next?.send(.receive(amount))
    }
  }
}

/// Its actions pass a hook.
actor HookedListReactor: ActionTransforming {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()

  func transform(action: Actions) -> some AsyncSequence<Int, Never> { action.map { $0 } }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}

/// Its mutations pass a hook, and turns take a while.
actor SlowHookReactor: MutationTransforming {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline = Pipeline()

  func transform(mutation: Mutations) -> some AsyncSequence<Int, Never> { mutation.map { $0 } }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
}
