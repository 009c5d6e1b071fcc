import Foundation
public import ReactorJournal
public import ReactorTesting

/// Decodes a value from a recording, for tests that were generated from one.
///
/// - Parameter json: The encoded value.
/// - Returns: The value.
/// - Throws: An error if the text does not contain such a value.
public func recorded<Value: Decodable>(_ json: String) throws -> Value {
  try JSONJournalCodec().decode(Value.self, from: Data(json.utf8))
}

/// Makes a reactor that starts with a recorded state, in memory.
///
/// - Parameters:
///   - json: The encoded state.
///   - make: Makes the reactor.
/// - Returns: The reactor.
/// - Throws: An error if the text does not contain such a state, or what `make` throws.
nonisolated(nonsending) public func recorded<R: JournaledReactor>(
  from json: String, _ make: () throws -> R
) async throws -> R {
  try await R.forked(
    from: recorded(json), JournalKey(name: R.journalName, id: "recording"), JSONJournalCodec(),
    make)
}

extension ReactorTest where R: JournaledReactor, R.Action: Decodable {
  /// Sends a recorded action, and asserts that it emits the recorded mutations at once.
  ///
  /// - Parameters:
  ///   - action: The encoded action.
  ///   - mutations: The encoded mutations that it emits at once.
  ///   - fileID: The place of the call; leave it and the following parameters out.
  ///   - filePath: See `fileID`.
  ///   - line: See `fileID`.
  ///   - column: See `fileID`.
  /// - Throws: An error if the action or a mutation cannot be decoded.
  public func sendRecorded(
    _ action: String, reducing mutations: String..., fileID: StaticString = #fileID,
    filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column
  ) async throws {
    let mutations: [R.Mutation] = try mutations.map { try recorded($0) }
    await send(
      try recorded(action),
      { state in for mutation in mutations { R.reduce(state: &state, mutation: mutation) } },
      fileID: fileID, filePath: filePath, line: line, column: column)
  }

  /// Asserts that the next mutation makes the same state as a recorded one.
  ///
  /// - Parameters:
  ///   - mutation: The encoded mutation.
  ///   - fileID: The place of the call; leave it and the following parameters out.
  ///   - filePath: See `fileID`.
  ///   - line: See `fileID`.
  ///   - column: See `fileID`.
  /// - Throws: An error if the mutation cannot be decoded.
  public func receiveRecorded(
    _ mutation: String, fileID: StaticString = #fileID, filePath: StaticString = #filePath,
    line: UInt = #line, column: UInt = #column
  ) async throws {
    let mutation: R.Mutation = try recorded(mutation)
    await receive(
      { R.reduce(state: &$0, mutation: mutation) }, fileID: fileID, filePath: filePath, line: line,
      column: column)
  }
}
