import TestLimits
import Testing

@testable import Reactor

/// What a relay keeps for subscribers that come late.
@Suite(.bounded) struct RelayProgressTests {
  private let progress = RelayProgress()

  @Test func `a mark that the relay has passed gets what was shown first by then`() async {
    let mark = progress.mark(3)
    for version: UInt64 in 1...5 { progress.pass(version, shown: version * 10) }
    #expect(await mark.passed() == 30)
  }

  @Test func `a mark whose version was left out is passed with the next`() async {
    let mark = progress.mark(3)
    progress.pass(2, shown: 20)
    progress.pass(4, shown: 40)
    progress.pass(5, shown: 50)
    #expect(await mark.passed() == 40)
  }

  @Test func `a mark that is made late finds the last step`() async {
    progress.pass(4, shown: 40)
    #expect(await progress.mark(4).passed() == 40)
  }

  @Test func `a relay whose source has ended passes all marks`() async {
    let mark = progress.mark(7)
    progress.pass(.max, shown: 60)
    #expect(await mark.passed() == 60)
  }

  @Test func `without marks one step is kept`() {
    for version: UInt64 in 1...1_000 { progress.pass(version, shown: version) }
    #expect(progress.retainedStepCount == 1)
  }

  @Test func `marks that overlap without end keep what the oldest needs`() {
    var marks: [RelayMark] = []
    for version: UInt64 in 1...10_000 {
      marks.append(progress.mark(version))
      progress.pass(version, shown: version)
      if marks.count > 20 { marks.removeFirst() }
    }
    #expect(progress.retainedStepCount <= 24)
  }
}
