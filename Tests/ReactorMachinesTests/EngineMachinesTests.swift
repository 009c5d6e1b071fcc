import ReactorMachines
import TestLimits
import Testing

@Suite(.bounded)
struct EngineMachinesTests {
  @Test
  func `lifecycle, inbox and work keep their promises in every order of events`() {
    let seen = Exploration(of: EngineWorld(actions: 3, restarts: 1), depth: 12)
    print("lifecycle × inbox × work: \(seen.size)")
    #expect(seen.report == nil)
    #expect(seen.size == "37951 states, 148650 transitions")
  }

  @Test
  func `a full inbox keeps its limit and loses no sender in any order of events`() {
    let seen = Exploration(of: EngineWorld(limit: 1, actions: 3), depth: 12)
    print("lifecycle × inbox × work, limited: \(seen.size)")
    #expect(seen.report == nil)
    #expect(seen.size == "30154 states, 113383 transitions")
  }
}
