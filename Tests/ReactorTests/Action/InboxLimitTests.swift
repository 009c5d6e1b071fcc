import Reactor
import TestLimits
import TestSupport
import Testing

@Suite(.bounded) struct InboxLimitTests {
  private func reactor(_ limit: Int, suspendsSenders: Bool = false) -> LanedReactor {
    LanedReactor(
      inboxLimit: limit, suspendsSenders: suspendsSenders, script: LanedReactor.echo
    ) { _, _ in nil }
  }

  @Test func `a full inbox refuses an action, and reports it`() async {
    let reactor = reactor(3)
    let receipts = await reactor.sendAll(0..<5)
    #expect(receipts.map(\.isRefused) == [false, false, false, true, true])
    #expect(reactor.reports.problems == ["inboxFull", "inboxFull"])
    #expect(reactor.reports.entries.map { $0.action as? Int } == [3, 4])
    for receipt in receipts { await receipt.settled }
    #expect(await reactor.currentState == [0, 1, 2])
  }

  @Test func `an action that has been taken no longer counts`() async {
    let reactor = reactor(2)
    for action in 0..<100 { await reactor.send(action).settled }
    #expect(await reactor.currentState == Array(0..<100))
    #expect(reactor.reports.problems == [])
  }

  @Test func `an awaiting sender suspends until a slot is free, in order`() async {
    let executor = ManualExecutor()
    let reactor = LimitedReactor(executor)
    reactor.send(0)
    let senders = Log<Int>()
    // One after the other, so that the order in which they wait is known.
    for action in 1...3 {
      Task.immediate {
        await reactor.sendWhenRoom(action)
        senders.append(action)
      }
    }
    #expect(reactor.send(9).isRefused)
    #expect(senders.entries == [])
    let seen = Task { await reactor.state.first { $0.count == 4 } }
    let running = Task { await executor.run { senders.count == 3 && Task.isCancelled } }
    #expect(await seen.value == [0, 1, 2, 3])
    #expect(await senders.entries(upTo: 3).sorted() == [1, 2, 3])
    running.cancel()
    reactor.send(10)
    await running.value
  }

  @Test func `without a limit no sender waits`() async {
    let reactor = reactor(.max)
    await reactor.sendWhenRoom(1).settled
    #expect(await reactor.currentState == [1])
  }

  @Test func `with a policy that refuses, an awaiting sender is refused`() async {
    let executor = ManualExecutor()
    let reactor = LimitedReactor(executor, suspendsSenders: false)
    reactor.send(0)
    #expect(await reactor.sendWhenRoom(1).isRefused)
    #expect(reactor.reports.problems == ["inboxFull"])
  }

  @Test func `a sender that is cancelled while it waits is refused, and reported`() async {
    let executor = ManualExecutor()
    let reactor = LimitedReactor(executor)
    reactor.send(0)
    let sender = Task.immediate { await reactor.sendWhenRoom(1) }
    sender.cancel()
    let receipt = await sender.value
    #expect(receipt.isRefused)
    await receipt.settled
    #expect(reactor.reports.problems == ["senderCancelled"])
  }

  @Test func `a stop refuses the senders that wait`() async {
    let executor = ManualExecutor()
    let reactor = LimitedReactor(executor)
    reactor.send(0)
    let sender = Task.immediate { await reactor.sendWhenRoom(1) }
    reactor.stop()
    #expect(await sender.value.isRefused)
    #expect(reactor.reports.problems == ["actionRefused"])
  }

  @Test func `many senders through a small inbox lose nothing`() async {
    let reactor = reactor(4, suspendsSenders: true)
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<8 {
        group.addTask {
          for number in 0..<500 { await reactor.sendWhenRoom(sender * 1000 + number) }
        }
      }
    }
    await reactor.flush()
    let state = await reactor.currentState
    #expect(state.count == 4000)
    for sender in 0..<8 {
      #expect(state.filter { $0 / 1000 == sender } == (0..<500).map { sender * 1000 + $0 })
    }
  }
}

/// An inbox of one action, on an executor that the test drives.
private actor LimitedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState: [Int] = []
  let pipeline: ReactorPipeline<LimitedReactor>
  let reports = ReportLog()
  let executor: ManualExecutor

  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  init(_ executor: ManualExecutor, suspendsSenders: Bool = true) {
    self.executor = executor
    pipeline = Pipeline(inboxLimit: 1, suspendsSenders: suspendsSenders)
  }

  func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }

  nonisolated func report(_ report: ReactorReport) { reports.append(report) }
}
