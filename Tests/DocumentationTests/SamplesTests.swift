import Testing
import TestLimits

/// What these pages show is in a test, where it is compiled and run.
@Suite(.bounded) struct SamplesTests {
  @Test(arguments: [
    "SeveralReactors", "ManyReactorsByKey", "ComingFromRedux", "ComingFromFlux", "AroundAReactor",
  ])
  func `each sample of the page is in a test`(_ page: String) throws {
    let tests = try Sample.tests()
    let samples = try Sample.all(of: page)
    #expect(samples.count > 5)
    for sample in samples where !tests.contains(where: sample.isContained) {
      Issue.record("\(page).md, line \(sample.line) stands in no test: \(sample.lines[0])")
    }
  }
}
