import Testing
import TestLimits

@testable import ReactorTesting

/// Work is done where and when it is passed to the suspended tasks, however much there is.
@Suite(.bounded) struct ScenarioTaskLocalsTests {
  #if os(Linux) || os(macOS)
    @Test func `work from many threads is done before the thread that passed it goes on`() async {
      await #expect(processExitsWith: .success) {
        let taskLocals = ScenarioTaskLocals()
        taskLocals.begin()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<4 {
            group.addTask {
              for number in 0..<200_000 {
                var done = -1
                taskLocals.run { done = number }
                precondition(done == number)
              }
            }
          }
        }
        taskLocals.end()
      }
    }
  #endif
}
