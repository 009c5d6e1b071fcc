import Foundation
public import ReactorJournal
import ReactorTesting

/// Fails if folding mutations makes another state the second time, or in another process.
///
/// In the other process, hash tables have another order.
///
/// ```swift
/// @Test func `carts are restored as they were`() async {
///   await assertReplayable(CartReactor.self, [.added("Emma"), .added("Persuasion"), .checkedOut])
/// }
/// ```
///
/// The failure names the mutation at which the states differ. The second process runs only this
/// test, with Swift Testing and with other hash seeds, so the code before this call in the test
/// runs there as well.
///
/// - Parameters:
///   - type: The reactor's type.
///   - mutations: The mutations to fold, starting with
///     ``/ReactorJournal/JournaledReactor/initialState``.
///   - codec: The codec of the journal.
///   - fileID: The place of the call; leave it and the following parameters out.
///   - filePath: See `fileID`.
///   - line: See `fileID`.
///   - column: See `fileID`.
public func assertReplayable<R: JournaledReactor>(
  _ type: R.Type, _ mutations: [R.Mutation], codec: any JournalCodec = JSONJournalCodec(),
  fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
  column: UInt = #column
) async {
  let place = TestPlace(fileID, filePath, line, column)
  let replay = ReplayComparison<R>(
    codec: codec, name: "\(R.journalName) \(fileID):\(line):\(column)")
  do {
    if let file = SecondProcess.file(for: replay.name) {
      try replay.answer(in: file)
      exit(0)
    }
    NearMisses.fail(type, at: place)
    if let problem = try await replay.problem(of: mutations) { place.fail(problem) }
  } catch {
    place.fail("\(R.self) cannot be replayed: \(error)")
  }
}

/// Folds mutations in this process and in another one, and compares each step.
private struct ReplayComparison<R: JournaledReactor> {
  let codec: any JournalCodec
  let name: String

  /// Compares the states.
  ///
  /// - Returns: A description of the first difference; `nil` if there is none.
  func problem(of mutations: [R.Mutation]) async throws -> String? {
    let payloads = try mutations.map(codec.encode)
    let first = try hashes(of: payloads)
    if let step = difference(first, try hashes(of: payloads)) {
      return text(step, mutations, "the second time, in the same process")
    }
    let second = try await SecondProcess(name: name).hashes(of: payloads)
    return difference(first, second).map {
      text($0, mutations, "in another process, with other hash seeds")
    }
  }

  /// Folds, in the second process, the mutations that the first one wrote to the file.
  func answer(in file: URL) throws {
    let payloads = try JSONDecoder().decode([Data].self, from: Data(contentsOf: file))
    let answer = try JSONEncoder().encode(hashes(of: payloads))
    try answer.write(to: SecondProcess.answer(to: file), options: .atomic)
  }

  private func hashes(of payloads: [Data]) throws -> [UInt64] {
    var state = R.initialState
    return try payloads.map { payload in
      R.reduce(state: &state, mutation: try codec.decode(R.Mutation.self, from: payload))
      return try CanonicalHash.of(state)
    }
  }

  private func difference(_ first: [UInt64], _ second: [UInt64]) -> Int? {
    zip(first, second).enumerated().first { $0.element.0 != $0.element.1 }?.offset
  }

  private func text(_ step: Int, _ mutations: [R.Mutation], _ circumstance: String) -> String {
    "\(R.self).reduce makes another state \(circumstance), from entry \(step + 1) on, "
      + "'\(mutations[step])': it may use nothing but the state and the "
      + "mutation, and no order of a set or dictionary"
  }
}
