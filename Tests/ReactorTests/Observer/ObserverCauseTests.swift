import Reactor
import TestLimits
import TestSupport
import Testing

/// What an action was sent by, over several reactors.
@Suite(.bounded) struct ObserverCauseTests {
  private let log = StepLog()

  private func causes(in reactor: ScriptedReactor) -> [ReactorCause?] {
    log.steps.compactMap { step in
      guard step.reactor == reactor.identity, case .taken = step.kind else { return nil }
      return .some(step.action?.cause)
    }
  }

  @Test func `an action that no work has sent has no cause`() async {
    let reactor = ScriptedReactor()
    reactor.addObserver(log)
    await reactor.send(1).settled
    #expect(causes(in: reactor) == [nil])
  }

  @Test func `an action has the cause of an effect, mutate or reduce in another reactor`() async {
    let other = ScriptedReactor()
    let reactor = ScriptedReactor(
      onReduce: { _, mutation in if mutation == 2 { other.send(20) } },
      script: { _, action in
        if action == 1 { other.send(10) }
        if action < 3 { return .just(action) }
        return .run { _ in
          other.send(30)
          await Task { _ = other.send(31) }.value
        }
      })
    reactor.addObserver(log)
    other.addObserver(log)
    for action in 1...3 { await reactor.send(action).settled }
    await other.send(0).settled
    let cause = { (number: UInt64) in
      ReactorCause(reactor: reactor.identity, action: ActionNumber(rawValue: number))
    }
    #expect(causes(in: other) == [cause(0), cause(1), cause(2), cause(2), nil])
  }

  @Test func `an action that has waited in the inbox has its own cause`() async {
    let other = ScriptedReactor()
    let reactor = ScriptedReactor { _, action in
      other.send(action)
      return .empty
    }
    reactor.addObserver(log)
    other.addObserver(log)
    await reactor.turn { reactor in
      for action in 0..<50 { reactor.send(action) }
    }
    await reactor.send(50).settled
    await other.send(0).settled
    let expected = (0...50).map {
      ReactorCause(reactor: reactor.identity, action: ActionNumber(rawValue: UInt64($0)))
    }
    #expect(causes(in: other) == expected + [nil])
  }

  @Test func `work can declare what it is part of`() async {
    let found = Log<ReactorCause?>()
    let reactor = ScriptedReactor { _, _ in .run { _ in found.append(.current) } }
    reactor.addObserver(log)
    await reactor.send(1).settled
    #expect(
      found.entries == [
        ReactorCause(reactor: reactor.identity, action: ActionNumber(rawValue: 0))
      ])
    #expect(ReactorCause.current == nil)
  }

  @Test func `an observer binds values around work, and what that sends carries them`()
    async
  {
    struct Binding: ReactorObserver {
      @TaskLocal static var mark = "none"
      let seen: Log<String>

      var carried: TaskLocals { TaskLocals(Self.$mark) }

      func observe(_ step: ReactorStep) {
        if case .taken = step.kind { seen.append("\(step.words) with \(Self.mark)") }
      }

      func values(for step: ReactorStep) -> TaskLocalValues {
        guard case .begun = step.kind, let action = step.action else { return .none }
        return TaskLocalValues(Self.$mark, "\(Self.mark)/\(action.value)")
      }
    }
    let seen = Log<String>()
    let reactor = ScriptedReactor { reactor, action in
      if action < 3 { reactor.send(action + 1) }
      return .run { _ in seen.append("effect of \(action) with \(Binding.mark)") }
    }
    reactor.addObserver(Binding(seen: seen))
    await Binding.$mark.withValue("root") { reactor.sendTracked(1) }.settled
    #expect(
      Set(seen.entries) == [
        "0 taken with root", "1 taken with root/1", "2 taken with root/1/2",
        "effect of 1 with root/1", "effect of 2 with root/1/2", "effect of 3 with root/1/2/3",
      ])
  }
}
