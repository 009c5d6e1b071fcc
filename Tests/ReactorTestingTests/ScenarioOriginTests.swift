import Testing
import TestLimits

@testable import ReactorTesting

/// Work is done where and when it is passed to the origin, however much there is.
@Suite(.bounded) struct ScenarioOriginTests {
  #if os(Linux) || os(macOS)
    @Test func `work from many threads is done before the thread that passed it goes on`() async {
      await #expect(processExitsWith: .success) {
        let origin = ScenarioOrigin()
        origin.begin()
        await withTaskGroup(of: Void.self) { group in
          for _ in 0..<4 {
            group.addTask {
              for number in 0..<200_000 {
                var done = -1
                origin.run { done = number }
                precondition(done == number)
              }
            }
          }
        }
        origin.end()
      }
    }
  #endif
}
