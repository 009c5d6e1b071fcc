import Reactor
import TestLimits
import TestSupport
import Testing

// The block of the page Samples.

extension Reactor {
  /// The lines that a health check prints for a reactor.
  fileprivate func healthLines() -> [String] {
    if isIdle { return ["\(identity) is idle"] }
    let waiting = laneDepths.values.reduce(0) { $0 + $1.waiting }
    return ["\(identity): \(inboxDepth) in the inbox, \(waiting) in lanes"]
      + openActions.map(\.description)
  }
}

private actor Printer: LanedReactor {
  enum Action { case page(Int) }
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()
  private let gate: Gate

  init(_ gate: Gate) { self.gate = gate }

  func lane(for action: Action) -> Lane? { .sequential("paper") }

  func mutate(action: Action) -> MutationStream<Int> { .run { [gate] _ in try await gate.wait() } }

  func reduce(state: inout Int, mutation: Int) {}
}

@Suite(.bounded) struct SamplesPageTests {
  @Test func `a health check prints what a reactor does`() async {
    let gate = Gate()
    let printer = Printer(gate)
    #expect(await printer.healthLines() == ["\(printer.identity) is idle"])
    printer.send(.page(1))
    await gate.reached()
    let second = printer.send(.page(2))
    while await printer.openActions.count < 2 { await Task.yield() }
    let lines = await printer.healthLines()
    #expect(lines.first == "\(printer.identity): 0 in the inbox, 1 in lanes")
    #expect(lines.count == 3)
    gate.open()
    await second.settled
    #expect(await printer.healthLines() == ["\(printer.identity) is idle"])
  }
}
