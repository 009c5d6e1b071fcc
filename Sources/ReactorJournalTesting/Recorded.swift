import Foundation
public import ReactorJournal
public import ReactorTesting

/// A value, as a recording has it; for tests that were made of one.
///
/// - Parameter json: Its encoding.
/// - Returns: The value.
/// - Throws: When that is not what the text says.
public func recorded<Value: Decodable>(_ json: String) throws -> Value {
  try JSONJournalCodec().decode(Value.self, from: Data(json.utf8))
}

/// A reactor that begins with a state that was recorded, kept in memory.
///
/// - Parameters:
///   - json: The state's encoding.
///   - make: Makes the reactor.
/// - Returns: The reactor.
/// - Throws: When that is not what the text says, or what `make` throws.
nonisolated(nonsending) public func recorded<R: JournaledReactor>(
  from json: String, _ make: () throws -> R
) async throws -> R {
  try await R.forked(
    from: recorded(json), JournalKey(name: R.journalName, id: "recording"), JSONJournalCodec(),
    make)
}

extension ReactorTest where R: JournaledReactor, R.Action: Decodable {
  /// Sends an action that was recorded, and asserts that at once it brings the mutations that were.
  ///
  /// - Parameters:
  ///   - action: The action's encoding.
  ///   - mutations: The encodings of what it brings at once.
  ///   - fileID: Where the step stands; leave it and the others out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  /// - Throws: When one of these cannot be read.
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

  /// Asserts that the next mutation is one that was recorded, by the state that it makes.
  ///
  /// - Parameters:
  ///   - mutation: Its encoding.
  ///   - fileID: Where the step stands; leave it and the others out.
  ///   - filePath: As above.
  ///   - line: As above.
  ///   - column: As above.
  /// - Throws: When it cannot be read.
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
