import Reactor
import Synchronization

/// What asking and groups are held against: the same by hand.
package enum SeveralFloors {
  /// A question by hand: a box that comes along with the action, is answered once, and says so when
  /// it is released without an answer.
  ///
  /// It has no cycle detection, no time limit and no reasons, and it cannot be cancelled.
  package static let ask: Workload = { count in
    let counter = HandAskedCounter()
    await counter.send(.increase(HandReply())).settled
    let watch = Stopwatch()
    var sum = 0
    for _ in 0..<count {
      let reply = HandReply()
      await counter.send(.increase(reply)).settled
      sum &+= reply.answer ?? 0
    }
    let reading = watch.reading
    check(sum, is: count)
    return reading
  }

  /// A broadcast by hand: whoever wants the key is found in a dictionary and sent to, behind one
  /// lock, so that all see one order.
  package static let broadcast: Workload = { count in
    let members = (0..<1000).map { _ in Counter() }
    var byNumber: [Int: [Counter]] = [:]
    for (index, member) in members.enumerated() { byNumber[index / 3, default: []].append(member) }
    let table = Mutex(byNumber)
    let taking = members[996..<999]
    for member in taking { await member.send(.increase).settled }
    let watch = Stopwatch()
    for _ in 0..<count {
      let receipts = table.withLock { table in table[332]?.map { $0.send(.increase) } }
      check(receipts?.count ?? 0, is: 3)
    }
    for member in taking { await member.send(.increase).settled }
    let reading = watch.reading
    for member in taking { check(await member.currentState.value, is: count + 2) }
    // So that the other members are released after the clock has stopped.
    withExtendedLifetime(members) {}
    return reading
  }
}

/// Answered once, by hand.
private final class HandReply: Sendable {
  private let slot = Mutex<Int?>(nil)

  var answer: Int? { slot.withLock { $0 } }

  func callAsFunction(_ answer: Int) {
    slot.withLock { if $0 == nil { $0 = answer } }
  }

  deinit { if slot.withLock({ $0 }) == nil { print("released without an answer") } }
}

private actor HandAskedCounter: Reactor {
  enum Action: Sendable { case increase(HandReply) }
  typealias Mutation = Counter.Mutation

  let initialState = Counter.State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .increase(let reply):
      reply(1)
      return .just(.add(1))
    }
  }

  func reduce(state: inout Counter.State, mutation: Mutation) { Counting.reduce(&state, mutation) }
}
