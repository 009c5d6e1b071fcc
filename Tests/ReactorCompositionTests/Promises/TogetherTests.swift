import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// Actions sent to a group reach every member in one order; what is shown of several was true
/// together.
@Suite(.bounded) struct TogetherTests {
  @Test func `one order, one snapshot, one step`() async {
    for _ in 0..<TestCounts.rounds(20) {
      let members = (0..<3).map { _ in ScriptedReactor() }
      let group = ReactorGroup<Int>()
      for member in members { group.add(member) }
      let all = combining(members[0].state, members[1].state, members[2].state)
      let watcher = Task {
        for await (one, two, three) in all {
          #expect(one == two)
          #expect(two == three)
          if one.count == 400 { break }
        }
      }
      await withTaskGroup(of: Void.self) { tasks in
        for task in 0..<8 {
          tasks.addTask { for number in 0..<50 { group.send(task * 100 + number) } }
        }
        tasks.addTask {
          for _ in 0..<10 {
            let snapshot = await group.snapshot()
            #expect(Set(members.map { snapshot[$0] }).count == 1)
          }
        }
      }
      await watcher.value
      let end = await group.snapshot()
      for member in members {
        let state = end[member] ?? []
        #expect(state == end[members[0]])
        // What one thread sent is in its order.
        for task in 0..<8 {
          #expect(state.filter { $0 / 100 == task } == (0..<50).map { task * 100 + $0 })
        }
      }
    }
  }
}
