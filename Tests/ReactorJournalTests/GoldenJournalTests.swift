import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import ProgramTesting
import TestLimits
import TestSupport
import Testing

/// Golden journals: a test fails if a shape changes and the version is not raised.
@Suite(.bounded) struct GoldenJournalTests {
  private let folder: ScratchDirectory

  init() throws { folder = try ScratchDirectory() }

  private func check<R: JournaledReactor>(
    _ type: R.Type, _ mutations: [R.Mutation], _ states: [R.State] = []
  ) async -> String {
    let folder = folder.path
    return await issueTexts {
      assertGoldenJournal(of: type, mutations: mutations, states: states, in: folder)
    }.joined(separator: "\n")
  }

  @Test func `the first run writes the samples, the second one compares them`() async {
    let first = await check(BookReactor.self, BookReactor.samples, [["Emma"]])
    #expect(first.contains("there was no golden file for BookReactor.Mutation of journalVersion 1"))
    #expect(first.contains("there was no golden file for BookReactor.State of snapshotVersion 1"))
    #expect(await check(BookReactor.self, BookReactor.samples, [["Emma"]]) == "")
    let file = folder.read("books-mutations-1.json") ?? ""
    #expect(file.contains(#"{\"added\":{\"title\":\"Emma\"}}"#))
  }

  @Test func `other values of the same shape fit as well`() async {
    _ = await check(BookReactor.self, BookReactor.samples, [["Emma"]])
    let others: [BookReactor.Mutation] = [.added(title: "Dune"), .removed(id: 9)]
    #expect(await check(BookReactor.self, others, [["Dune", "Emma"]]) == "")
  }

  @Test func `a case whose shape has changed is named, and the file stays`() async {
    _ = await check(BookReactor.self, BookReactor.samples)
    let before = folder.read("books-mutations-1.json")
    let text = await check(RenamedReactor.self, [.added(name: "Emma"), .removed(id: 1)])
    #expect(text.contains("the shape of 'added' of RenamedReactor.Mutation has changed"))
    #expect(text.contains("journalVersion is still 1"))
    #expect(text.contains("raise journalVersion to 2"))
    #expect(!text.contains("'removed'"))
    #expect(folder.read("books-mutations-1.json") == before)
  }

  @Test func `a field that was added is a change, though the old entries can be read`() async {
    _ = await check(BookReactor.self, BookReactor.samples)
    let text = await check(
      WiderReactor.self, [.added(title: "Emma", year: 1815), .removed(id: 1)])
    #expect(text.contains("the shape of 'added'"))
    #expect(text.contains(#"{"added":{"title":"Emma","year":1815}}"#))
  }

  @Test func `an optional field that is nil is reported if it is missing or new`() async {
    _ = await check(BookReactor.self, BookReactor.samples)
    let added = await check(WiderReactor.self, [.added(title: "Emma", year: nil), .removed(id: 1)])
    #expect(
      added.contains(
        "the shape of 'added' of WiderReactor.Mutation has changed, and journalVersion is still 1:"
          + " its fields were added, added.title, and are added, added.title, added.year"))
    #expect(added.contains("raise journalVersion to 2 and add a step to upgrades"))
    #expect(!added.contains("'removed'"))
  }

  @Test func `an optional field that is nil cannot be renamed unnoticed`() async {
    _ = await check(WiderReactor.self, [.added(title: "Emma", year: nil), .removed(id: 1)])
    let gone = await check(BookReactor.self, BookReactor.samples)
    #expect(gone.contains("were added, added.title, added.year, and are added, added.title"))
    let renamed = await check(
      DatedReactor.self, [.added(title: "Emma", age: nil), .removed(id: 1)])
    #expect(renamed.contains("added.title, added.year, and are added, added.age, added.title"))
  }

  @Test func `such a field in a state is reported as well, however deep`() async {
    _ = await check(PageReactor.self, [.turned], [.init(pages: [.init(number: 1, note: nil)])])
    let text = await check(
      MarkedReactor.self, [.turned], [.init(pages: [.init(number: 1, note: nil, mark: nil)])])
    #expect(text.contains("the shape of 'state 1' of MarkedReactor.State has changed"))
    #expect(text.contains("and are pages, pages[].mark, pages[].note, pages[].number"))
  }

  @Test func `an older golden file is given the names of the fields, once`() async throws {
    _ = await check(BookReactor.self, BookReactor.samples)
    let file = try #require(folder.read("books-mutations-1.json"))
    let old = file.split(separator: "\n").filter { !$0.contains("\"fields\"") }
    #expect(old.count < file.split(separator: "\n").count)
    try folder.write(old.joined(separator: "\n"), to: "books-mutations-1.json")
    let text = await check(BookReactor.self, BookReactor.samples)
    #expect(text.contains("did not name the fields of BookReactor.Mutation: it does now"))
    #expect(folder.read("books-mutations-1.json") == file)
    #expect(await check(BookReactor.self, BookReactor.samples) == "")
  }

  @Test func `with a version and a step, all versions are read`() async {
    _ = await check(BookReactor.self, BookReactor.samples)
    _ = await check(UpgradedReactor.self, UpgradedReactor.samples)
    #expect(await check(UpgradedReactor.self, UpgradedReactor.samples) == "")
    #expect(folder.read("books-mutations-1.json")?.contains("title") == true)
    #expect(folder.read("books-mutations-2.json")?.contains("name") == true)
  }

  @Test func `a missing step is requested`() async {
    _ = await check(BookReactor.self, BookReactor.samples)
    _ = await check(MissingUpgradeReactor.self, MissingUpgradeReactor.samples)
    let text = await check(MissingUpgradeReactor.self, MissingUpgradeReactor.samples)
    #expect(text.contains("'added' of MissingUpgradeReactor.Mutation, as version 1 has kept it"))
    #expect(text.contains("there is no upgrade from version 1; correct the steps of upgrades"))
  }

  @Test func `a version that is lowered is reported`() async {
    _ = await check(UpgradedReactor.self, UpgradedReactor.samples)
    #expect(await check(BookReactor.self, BookReactor.samples).contains("is never lowered"))
  }

  @Test func `a new case is added, and reported once`() async {
    _ = await check(BookReactor.self, [.added(title: "Emma")])
    let text = await check(BookReactor.self, BookReactor.samples)
    #expect(text.contains("'removed' of BookReactor.Mutation is new"))
    #expect(await check(BookReactor.self, BookReactor.samples) == "")
  }

  @Test func `a sample that is left out is reported`() async {
    _ = await check(BookReactor.self, BookReactor.samples)
    let text = await check(BookReactor.self, [.added(title: "Emma")])
    #expect(text == "there is no sample of 'removed' of BookReactor.Mutation any more")
  }

  @Test func `a state whose shape has changed is reported`() async {
    _ = await check(BookReactor.self, BookReactor.samples, [["Emma"]])
    let text = await check(CountingReactor.self, CountingReactor.samples, [1])
    #expect(text.contains("the shape of 'state 1' of CountingReactor.State has changed"))
    #expect(text.contains("raise snapshotVersion to 2 and add a step to snapshotUpgrades"))
  }

  @Test func `with a version and a step, snapshots of all versions are read`() async {
    _ = await check(BookReactor.self, BookReactor.samples, [["Emma"]])
    let first = await check(CapitalReactor.self, CapitalReactor.samples, [["EMMA"]])
    #expect(first.contains("no golden file for CapitalReactor.State of snapshotVersion 2"))
    let file = folder.read("books-snapshots-1.json")
    #expect(await check(CapitalReactor.self, CapitalReactor.samples, [["EMMA"]]) == "")
    #expect(folder.read("books-snapshots-1.json") == file)
    #expect(file?.contains("Emma") == true)
  }

  @Test func `a missing step is requested, or the deletion of the file`() async {
    _ = await check(BookReactor.self, BookReactor.samples, [["Emma"]])
    _ = await check(
      MissingSnapshotUpgradeReactor.self, MissingSnapshotUpgradeReactor.samples, [["EMMA"]])
    let text = await check(
      MissingSnapshotUpgradeReactor.self, MissingSnapshotUpgradeReactor.samples, [["EMMA"]])
    #expect(
      text.contains("'state 1' of MissingSnapshotUpgradeReactor.State, as version 1 has kept it"))
    #expect(text.contains("add a step to snapshotUpgrades, or delete the file"))
  }

  @Test func `a reduce with another result is reported`() async {
    _ = await check(BookReactor.self, BookReactor.samples, [["Emma"]])
    let text = await check(UppercasingReactor.self, UppercasingReactor.samples, [["Emma"]])
    #expect(text.contains("reduce makes another state of the golden mutations"))
    #expect(text.contains(#"["EMMA"]"#))
  }

  @Test func `a reduce with another result is reported beside a new case, until it is fixed`()
    async
  {
    let old: [BookReactor.Mutation] = [.added(title: "Emma")]
    _ = await check(BookReactor.self, old)
    for _ in 1...3 {
      let text = await check(UppercasingReactor.self, UppercasingReactor.samples)
      #expect(text.contains("reduce makes another state of the golden mutations"))
    }
    #expect(await check(BookReactor.self, BookReactor.samples).contains("'folded from 1-"))
    #expect(await check(BookReactor.self, BookReactor.samples) == "")
  }

  @Test func `a reduce with another result is reported beside a new version`() async {
    _ = await check(BookReactor.self, BookReactor.samples)
    for _ in 1...3 {
      let text = await check(UppercasingUpgradedReactor.self, UppercasingUpgradedReactor.samples)
      #expect(text.contains("reduce makes another state of the golden mutations"))
    }
    _ = await check(UpgradedReactor.self, UpgradedReactor.samples)
    #expect(await check(UpgradedReactor.self, UpgradedReactor.samples) == "")
  }
}
