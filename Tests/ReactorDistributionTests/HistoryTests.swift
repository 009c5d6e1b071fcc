import Testing
import TestLimits

/// That the checker finds what it is there for: five planted faults.
@Suite(.bounded) struct HistoryTests {
  private var history: History {
    var history = History()
    history.appends = (1...4).map { value in
      History.Append(
        value: value, begun: .seconds(value * 2), place: value, ended: .seconds(value * 2 + 1))
    }
    history.observed = [[[], [1], [1, 2], [1, 2, 3], [1, 2, 3, 4]]]
    return history
  }

  private func rows(
    _ values: [Int], epochs: [Int] = [1, 1, 2, 2, 3]
  ) -> [(sequence: Int, epoch: Int, value: Int)] {
    values.enumerated().map { ($0.offset + 1, epochs[$0.offset], $0.element) }
  }

  @Test func `finds nothing wrong with a correct history`() {
    #expect(history.problems(beside: rows([1, 2, 3, 4])) == [])
  }

  @Test func `finds an append that was acknowledged and lost`() {
    let problems = history.problems(beside: rows([1, 2, 3]))
    #expect(problems.contains("4 was acknowledged at 4, and is lost"))
  }

  @Test func `finds an append that was done twice`() {
    #expect(history.problems(beside: rows([1, 2, 3, 4, 2])).contains("2 is there 2 times"))
  }

  @Test func `finds appends in another order than they were answered in`() {
    #expect(
      history.problems(beside: rows([1, 3, 2, 4]))
        .contains("3 stands before 2, which had been answered"))
  }

  @Test func `finds what was written under an epoch that was over`() {
    let problems = history.problems(beside: rows([1, 2, 3, 4], epochs: [1, 2, 1, 2]))
    #expect(problems == ["an epoch falls: [1, 2, 1, 2]"])
  }

  @Test func `finds an entry that was not written, and states that showed it`() {
    #expect(history.problems(beside: rows([1, 2, 3, 4, 9])).contains("9 was written by nobody"))
    var phantom = history
    phantom.observed = [[[1], [1, 9]]]
    #expect(
      phantom.problems(beside: rows([1, 2, 3, 4]))
        .contains("[1, 9] was observed, the journal has [1, 2, 3, 4]"))
  }
}
