import Foundation
public import ReactorJournal
import ReactorTesting

/// Fails if what was kept of a reactor, by this version of the program or an earlier one, can no
/// longer be read, or if the shape of a mutation or state has changed and no version says so.
///
/// ```swift
/// @Test func `every cart that was ever kept can be read`() {
///   assertGoldenJournal(
///     of: CartReactor.self, mutations: [.added(Book("Emma")), .checkedOut],
///     states: [CartReactor.State(books: [Book("Emma")])])
/// }
/// ```
///
/// Give a sample of each case. The first time, and whenever a version was raised, the samples are
/// written down, in a folder `Golden` beside the test, and the test fails once: look at the file
/// and commit it. From then on it is compared with, and never changed, but that the sample of a new
/// case is added. So each version has a file, and all are read through the reactor's upgrades.
///
/// The shape is the names of the fields, also of one that may be `nil` and is, and the kinds of
/// what they have.
///
/// It also fails where `reduce` makes another state of the golden mutations than it did when the
/// golden snapshots were written, those of an earlier version and those before a new case as well:
/// then `snapshotVersion` has to be raised.
///
/// A snapshot of an earlier version that is to be passed by, so that the state is made of the
/// mutations, has no upgrade: delete its file.
///
/// In the manifest, leave the folder out of the test target: `exclude: ["Golden"]`.
///
/// - Parameters:
///   - type: The reactor's type.
///   - mutations: A sample of each case, or more; transient ones are passed by.
///   - states: Samples of the state.
///   - codec: What the journal uses.
///   - folder: Where the files are; by default beside the test.
///   - fileID: Where the call stands; leave it and the others out.
///   - filePath: As above.
///   - line: As above.
///   - column: As above.
public func assertGoldenJournal<R: JournaledReactor>(
  of type: R.Type, mutations: [R.Mutation], states: [R.State],
  codec: any JournalCodec = JSONJournalCodec(), in folder: String? = nil,
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) {
  let place = TestPlace(fileID, filePath, line, column)
  NearMisses.fail(type, at: place)
  let folder =
    folder.map { URL(filePath: $0) }
    ?? URL(filePath: "\(filePath)").deletingLastPathComponent().appending(path: "Golden")
  let golden = GoldenJournal<R>(folder: folder, codec: codec)
  do {
    let problems = try golden.check(mutations, states)
    if !problems.isEmpty { place.fail(problems.joined(separator: "\n")) }
  } catch {
    place.fail("the golden journal of \(R.self) cannot be checked: \(error)")
  }
}

/// The golden files of one reactor.
struct GoldenJournal<R: JournaledReactor> {
  let folder: URL
  let codec: any JournalCodec

  /// - Returns: What is wrong, in words.
  func check(_ mutations: [R.Mutation], _ states: [R.State]) throws -> [String] {
    let kept = try mutations.filter { !R.isTransient($0) }
      .map {
        try ReplyCheck.check($0)
        return GoldenSample(
          ReportNames.name(of: $0), try codec.encode($0), fields: FieldPaths.of($0))
      }
    let problems = try mutationCheck.run(kept)
    let samples = try states.enumerated().map {
      GoldenSample("state \($0 + 1)", try codec.encode($1), fields: FieldPaths.of($1))
    }
    return try problems + stateCheck.run(samples + folded())
  }

  private var mutationCheck: GoldenCheck {
    GoldenCheck(
      file: { folder.appending(path: "\(R.journalName)-mutations-\($0).json") },
      subject: "\(R.self).Mutation", versionName: "journalVersion", version: R.journalVersion,
      upgradesName: "upgrades", isOptional: false
    ) { data, version in try read(data, version).map { try codec.encode($0) } }
  }

  private var stateCheck: GoldenCheck {
    GoldenCheck(
      file: { folder.appending(path: "\(R.journalName)-snapshots-\($0).json") },
      subject: "\(R.self).State", versionName: "snapshotVersion", version: R.snapshotVersion,
      upgradesName: "snapshotUpgrades", isOptional: true
    ) { [codec] data, version in
      try R.snapshotUpgrades.run(data, from: version, to: R.snapshotVersion).prefix(1).map {
        try codec.encode(codec.decode(R.State.self, from: $0))
      }
    }
  }

  /// The state that the golden mutations make, and those that have been written down of earlier
  /// ones: of an earlier version, or before a case was added.
  private func folded() throws -> [GoldenSample] {
    let written = try GoldenFile(at: stateCheck.file(R.snapshotVersion))?.samples ?? []
    let names = Set(written.map(\.name))
    return try (1...max(1, R.journalVersion)).flatMap { version in
      let golden = try GoldenFile(at: mutationCheck.file(version))?.samples ?? []
      // A file only grows, so what it once was is how it begins.
      return try (0...golden.count).compactMap { count in
        let isNewest = version == R.journalVersion && count == golden.count
        let first = golden.prefix(count)
        let name = foldedName(first, version)
        return isNewest || names.contains(name) ? try folded(first, version, name) : nil
      }
    }
  }

  /// Says of which mutations, since other ones make another state.
  private func foldedName(_ samples: some Collection<GoldenSample>, _ version: Int) -> String {
    let text = samples.map(\.shown).joined(separator: "\n")
    return "folded from \(version)-\(String(Checksum.of(Data(text.utf8)), radix: 36))"
  }

  /// The state that samples of a version make, if they can be read.
  private func folded(
    _ samples: some Collection<GoldenSample>, _ version: Int, _ name: String
  ) throws -> GoldenSample? {
    var state = R.initialState
    for sample in samples {
      // What cannot be read has been complained of.
      guard let data = sample.data, let mutations = try? read(data, version)
      else { return nil }
      for mutation in mutations { R.reduce(state: &state, mutation: mutation) }
    }
    let data = try codec.encode(state)
    // Where equal states have several encodings, as with encrypted values, nothing can be compared.
    return GoldenSample(name, data, isExact: try data == codec.encode(state))
  }

  /// What a mutation of a version is now.
  private func read(_ data: Data, _ version: Int) throws -> [R.Mutation] {
    try R.upgrades.run(data, from: version, to: R.journalVersion).map {
      try codec.decode(R.Mutation.self, from: $0)
    }
  }
}
