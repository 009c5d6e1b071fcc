import TestLimits
import TestSupport
import Testing

@testable import Readline

/// Tasks that wait for a line, and lines that wait for a task, cost in proportion to their number.
@Suite(.bounded) struct ConsoleGrowthTests {
  @Test func `tasks that wait for a line and are cancelled, last ones first`() async throws {
    let growth = try await Growth.of(2_000) { count in
      var state = ConsoleState<Int>(prompt: "> ", queuesOutput: true)
      for id in 0..<count { _ = state.request(id, id: id) }
      let cancelled = (0..<count).reversed().filter { state.cancelRequest(id: $0) == $0 }
      #expect(cancelled.count == count)
    }
    #expect(growth < Growth.most)
  }

  @Test func `tasks that wait for a line, and get one`() async throws {
    let growth = try await Growth.of(2_000) { count in
      var state = ConsoleState<Int>(prompt: "> ", queuesOutput: true)
      for id in 0..<count { _ = state.request(id, id: id) }
      let served = (0..<count).compactMap { _ in state.deliver(.text("a"))?.waiter }
      #expect(served == Array(0..<count))
    }
    #expect(growth < Growth.most)
  }

  @Test func `lines that are put back, and wait for a task`() async throws {
    let growth = try await Growth.of(2_000) { count in
      var state = ConsoleState<Int>(prompt: "> ", queuesOutput: true)
      for id in 0..<count { _ = state.request(id, id: id) }
      let lines = (0..<count).compactMap { _ in state.deliver(.text("a"))?.line }
      for _ in 0..<count { _ = state.deliver(.text("b")) }
      let handedOn = lines.filter { state.putBack($0) != nil }
      #expect(handedOn.isEmpty)
      let answered = (0..<2 * count).filter { id in
        if case .answered(_?) = state.request(id, id: id) { true } else { false }
      }
      #expect(answered.count == 2 * count)
    }
    #expect(growth < Growth.most)
  }
}
