import Reactor
import ReactorInstrumentation
import ReactorRuntime
import TestLimits
import TestSupport
import Testing

/// An observer that tells another one in a task of its own.
@Suite(.bounded) struct BufferedObserverTests {
  /// Writes down the numbers of what is kept.
  private struct Slow: ReactorObserver {
    let log = Log<Int>()

    func observe(_ step: ReactorStep) {
      if case .durable(let number) = step.kind { log.append(number) }
    }
  }

  private func step(_ number: Int) -> ReactorStep {
    ReactorStep(.durable(upTo: number), in: ReactorIdentity(type: ScriptedReactor.self, number: 1))
  }

  @Test func `all steps are delivered, in order`() async {
    let slow = Slow()
    let observer = BufferedObserver(slow, atMost: 1000)
    for number in 0..<1000 { observer.observe(step(number)) }
    await observer.flush()
    #expect(slow.log.entries == Array(0..<1000))
    #expect(observer.droppedCount == 0)
  }

  @Test func `lost steps are counted exactly, from any thread`() async {
    let slow = Slow()
    let observer = BufferedObserver(slow, atMost: 10)
    let count = TestCounts.rounds(2_000)
    await withTaskGroup { group in
      for _ in 0..<4 {
        group.addTask { for number in 0..<count { observer.observe(step(number)) } }
      }
    }
    await observer.flush()
    #expect(slow.log.entries.count + Int(observer.droppedCount) == 4 * count)
  }

  @Test func `each step that arrives while the buffer is full is lost and counted`() async {
    /// Has further steps arrive while it receives the first.
    final class Busy: ReactorObserver {
      let log = Log<Int>()
      let meanwhile = Guarded<@Sendable () -> Void>({})

      func observe(_ step: ReactorStep) {
        guard case .durable(let number) = step.kind else { return }
        log.append(number)
        if number == 0 { meanwhile.withLock { $0 }() }
      }
    }
    let busy = Busy()
    let observer = BufferedObserver(busy, atMost: 10)
    busy.meanwhile.withLock { meanwhile in
      meanwhile = { for number in 1...25 { observer.observe(step(number)) } }
    }
    observer.observe(step(0))
    await observer.flush()
    // The steps that arrived while it received the first are behind that.
    await observer.flush()
    #expect(busy.log.entries == Array(0...10))
    #expect(observer.droppedCount == 15)
  }

  @Test func `without steps, a flush does not wait`() async {
    await BufferedObserver(Slow(), atMost: 1).flush()
  }

  /// Keeps every step.
  private struct Keeping: ReactorObserver {
    let log = Log<ReactorStep>()

    func observe(_ step: ReactorStep) { log.append(step) }
  }

  @Test func `steps that another thread keeps are not changed by the reactor`() async {
    let observer = Keeping()
    let buffered = BufferedObserver(observer, atMost: 1_000_000)
    let reactor = ScriptedReactor()
    reactor.addObserver(buffered)
    let count = TestCounts.rounds(2_000)
    for action in 0..<count { reactor.send(action) }
    await reactor.send(count).settled
    await buffered.flush()
    let words = observer.log.entries.filter { $0.action != nil }.map { step in
      "\(step.action?.number.rawValue ?? 0) \(step.action?.value ?? "") \(step.kind.text)"
    }
    let expected = (0...count).flatMap { number in
      [
        "\(number) \(number) taken", "\(number) \(number) begun",
        "\(number) \(number) reduced \(number + 1) '\(number)'", "\(number) \(number) finished",
      ]
    }
    #expect(words == expected)
  }
}
