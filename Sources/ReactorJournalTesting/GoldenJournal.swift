import Foundation
public import ReactorJournal
import ReactorTesting

/// Fails if stored data of a reactor can no longer be read, or if a shape has changed without a new
/// version.
///
/// It checks data of this version of the program and of earlier ones.
///
/// ```swift
/// @Test func `every cart that was ever stored can be read`() {
///   assertGoldenJournal(
///     of: CartReactor.self, mutations: [.added(Book("Emma")), .checkedOut],
///     states: [CartReactor.State(books: [Book("Emma")])])
/// }
/// ```
///
/// Pass a sample of each case of the mutation. The first time, and after a version is raised, the
/// samples are written to a folder `Golden` beside the test, and the test fails once. Check the
/// file and commit it. From then on the samples are compared with it. The file does not change,
/// except that samples of new cases are added. Each version has its own file, and all of them are
/// read through the reactor's upgrades.
///
/// The shape consists of the names of the fields and the kinds of their values. It includes fields
/// that are `nil`.
///
/// The test also fails if `reduce` makes another state from the golden mutations than when the
/// golden snapshots were written. This includes mutations of an earlier version, and those before a
/// new case was added. Then raise `snapshotVersion`.
///
/// If snapshots of an earlier version are to be skipped, so that the state is restored from the
/// mutations, they need no upgrade. Delete their file.
///
/// In the manifest, exclude the folder from the test target: `exclude: ["Golden"]`.
///
/// - Parameters:
///   - type: The reactor's type.
///   - mutations: At least one sample of each case; transient mutations are skipped.
///   - states: Samples of the state.
///   - codec: The codec of the journal.
///   - folder: The folder of the files; by default beside the test.
///   - fileID: The place of the call; leave it and the following parameters out.
///   - filePath: See `fileID`.
///   - line: See `fileID`.
///   - column: See `fileID`.
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

  /// Checks samples of mutations and states.
  ///
  /// - Returns: Descriptions of the problems.
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

  /// The states that golden mutations make: those of the newest mutations, and those whose earlier
  /// result is in the golden file.
  ///
  /// Earlier mutations are those of an earlier version, or from before a case was added.
  private func folded() throws -> [GoldenSample] {
    let written = try GoldenFile(at: stateCheck.file(R.snapshotVersion))?.samples ?? []
    let names = Set(written.map(\.name))
    return try (1...max(1, R.journalVersion)).flatMap { version in
      let golden = try GoldenFile(at: mutationCheck.file(version))?.samples ?? []
      // A file only grows, so its earlier contents are a prefix.
      return try (0...golden.count).compactMap { count in
        let isNewest = version == R.journalVersion && count == golden.count
        let first = golden.prefix(count)
        let name = foldedName(first, version)
        return isNewest || names.contains(name) ? try folded(first, version, name) : nil
      }
    }
  }

  /// A name that identifies the mutations, since other mutations make another state.
  private func foldedName(_ samples: some Collection<GoldenSample>, _ version: Int) -> String {
    let text = samples.map(\.shown).joined(separator: "\n")
    return "folded from \(version)-\(String(Checksum.of(Data(text.utf8)), radix: 36))"
  }

  /// Returns the state that samples of a version make; `nil` if one cannot be read.
  private func folded(
    _ samples: some Collection<GoldenSample>, _ version: Int, _ name: String
  ) throws -> GoldenSample? {
    var state = R.initialState
    for sample in samples {
      // This has already been reported as a problem.
      guard let data = sample.data, let mutations = try? read(data, version)
      else { return nil }
      for mutation in mutations { R.reduce(state: &state, mutation: mutation) }
    }
    let data = try codec.encode(state)
    // If equal states have several encodings, as with encrypted values, they cannot be compared.
    return GoldenSample(name, data, isExact: try data == codec.encode(state))
  }

  /// Decodes a mutation of a version, with upgrades.
  private func read(_ data: Data, _ version: Int) throws -> [R.Mutation] {
    try R.upgrades.run(data, from: version, to: R.journalVersion).map {
      try codec.decode(R.Mutation.self, from: $0)
    }
  }
}
