import ReactorMachines
import ReactorRuntime
import Synchronization
import TestLimits
import Testing

@testable import Reactor

/// Which subscriber of states gets which state when, without anything that waits.
@Suite(.bounded) struct BroadcastTests {
  private let states = Broadcast<Int>(hasValues: true)

  /// What a step says, as words.
  private func step(_ slot: Int) -> String {
    switch states.step(slot) {
    case .deliver(let state, _): "\(state.element)"
    case .ask: "ask"
    case .wait: "wait"
    case .end: "end"
    }
  }

  private func publish(_ numbers: ClosedRange<Int>) {
    for state in numbers { states.publish(state, number: UInt64(state)) }
  }

  private func offer(_ state: Int, to asking: Int? = nil) {
    states.deliver(states.offer(state, number: UInt64(state), to: asking))
  }

  private func leave(_ slot: Int) { states.unsubscribe(slot, isReleased: false) }

  private var kept: Int { states.contents.withLock { $0.elements.count } }
  private var hasDemand: Bool { states.hasDemand.load(ordering: .relaxed) }

  @Test func `without subscribers, nothing is buffered`() {
    #expect(!hasDemand)
    publish(1...1)
    #expect(kept == 0)
  }

  @Test func `a subscriber requests its first state once, then waits`() {
    let observer = states.subscribe(.every)
    #expect(hasDemand)
    #expect(step(observer) == "ask")
    #expect(step(observer) == "wait")
    offer(5)
    #expect(step(observer) == "5")
    #expect(step(observer) == "wait")
  }

  @Test func `published states come once, in order`() {
    let observer = states.subscribe(.every)
    offer(0)
    publish(1...3)
    #expect((0...4).map { _ in step(observer) } == ["0", "1", "2", "3", "wait"])
  }

  @Test func `a subscriber that was offered nothing begins with the state published`() {
    let observer = states.subscribe(.every)
    publish(1...1)
    #expect(step(observer) == "1")
    #expect(step(observer) == "wait")
  }

  @Test func `a late subscriber begins at the newest state, not at another's position`() {
    let early = states.subscribe(.every)
    offer(0)
    publish(1...2)
    let late = states.subscribe(.every)
    #expect(step(late) == "2")
    #expect(step(early) == "0")
  }

  @Test func `when the last subscriber leaves, the states are released`() {
    let observers = (0..<3).map { _ in states.subscribe(.every) }
    offer(0)
    for observer in observers {
      #expect(kept == 1)
      leave(observer)
    }
    #expect(kept == 0)
    #expect(!hasDemand)
    #expect(step(observers[0]) == "end")
  }

  @Test func `a subscriber that leaves twice is counted once`() {
    let (leaving, staying) = (states.subscribe(.every), states.subscribe(.every))
    offer(0)
    leave(leaving)
    leave(leaving)
    #expect(states.contents.withLock { $0.machine.count } == 1)
    #expect(step(staying) == "0")
  }

  @Test func `of new subscribers, those that do not leave get the first state`() {
    let observers = (0..<4).map { _ in states.subscribe(.every) }
    leave(observers[1])
    leave(observers[3])
    offer(9)
    #expect(observers.map(step) == ["9", "end", "9", "end"])
  }

  @Test func `a subscriber of the newest requests each state, and skips`() {
    let observer = states.subscribe(.newest)
    #expect(!hasDemand)
    #expect(step(observer) == "ask")
    offer(4, to: observer)
    #expect(step(observer) == "4")
    #expect(!hasDemand && kept == 0)
    #expect(step(observer) == "ask")
    offer(4, to: observer)
    #expect(step(observer) == "wait")
    #expect(hasDemand && kept == 0)
    publish(5...6)
    #expect(step(observer) == "6")
    #expect(kept == 0)
  }

  @Test func `a state that was dropped is offered again to one that has not received it`() {
    let (first, second) = (states.subscribe(.newest), states.subscribe(.newest))
    for observer in [first, second] {
      #expect(step(observer) == "ask")
      offer(4, to: observer)
      #expect(step(observer) == "4")
    }
    let every = states.subscribe(.every)
    offer(4)
    #expect(step(every) == "4")
    #expect(step(first) == "ask")
    offer(4, to: first)
    #expect(step(first) == "wait")
  }

  @Test func `after the end, a subscriber gets the states not yet read, then the end`() {
    let observer = states.subscribe(.every)
    offer(0)
    publish(1...1)
    states.finish()
    publish(2...2)
    #expect((0...3).map { _ in step(observer) } == ["0", "1", "end", "end"])
  }

  @Test func `the last state is delivered to subscribers after the end`() {
    states.finish(with: (7, 7))
    let late = [.every, .newest, .last(1)].map { states.subscribe($0) }
    #expect(late.map(step) == ["7", "7", "7"])
    #expect(late.map(step) == ["end", "end", "end"])
  }

  @Test func `where the newest is buffered, late subscribers need no owner`() {
    states.keepNewest()
    publish(1...2)
    let (every, newest) = (states.subscribe(.every), states.subscribe(.newest))
    #expect(step(every) == "2")
    #expect(step(newest) == "2")
    leave(every)
    #expect(kept == 1)
    states.finish()
    #expect(step(newest) == "end")
  }

  // MARK: Events

  @Test(arguments: [[0, 1, 2], [2, 1, 0], [1, 2, 0]])
  func `what tasks put back into one stream is delivered again in its order`(order: [Int]) {
    let events = Broadcast<Int>(hasValues: false)
    let stream = events.subscribe(.every)
    for event in 0..<4 { events.publish(event) }
    let read = (0..<3).compactMap { _ in take(events, stream) }
    #expect(read.map(\.element) == [0, 1, 2])
    for index in order { events.putBack(read[index], to: stream) }
    #expect((0..<5).map { _ in take(events, stream)?.element } == [0, 1, 2, 3, nil])
  }

  @Test func `what is put back while another stream has not read it is buffered again`() {
    let events = Broadcast<Int>(hasValues: false)
    let streams = (0..<2).map { _ in events.subscribe(.every) }
    events.publish(7)
    if let read = take(events, streams[0]) { events.putBack(read, to: streams[0]) }
    #expect(streams.map { take(events, $0)?.element } == [7, 7])
    #expect(streams.map { take(events, $0)?.element } == [nil, nil])
  }

  private func take(_ events: Broadcast<Int>, _ stream: Int) -> Numbered<Int>? {
    if case .deliver(let event, _) = events.step(stream) { event } else { nil }
  }
}
