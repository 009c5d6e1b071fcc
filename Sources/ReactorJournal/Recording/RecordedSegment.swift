import Foundation

/// A part of a reactor's recorded history: a state, and the actions and mutations after it.
///
/// ```swift
/// let segment = try RecordedSegment<CartReactor>(contentsOf: "cart.recording")
/// print(try segment.replay())
/// ```
///
/// A later version of the program reads it through the reactor's upgrades, as it reads a journal.
public struct RecordedSegment<R: JournaledReactor>: Sendable where R.Action: Codable {
  /// The state before the first mutation.
  package let state: R.State
  package let steps: [RecordedStep]
  package let codec: any JournalCodec

  package init(state: R.State, steps: [RecordedStep], codec: any JournalCodec) {
    (self.state, self.steps, self.codec) = (state, steps, codec)
  }

  private struct File: Codable {
    let name: String
    let version: Int
    let snapshotVersion: Int
    let state: Data
    let steps: [RecordedStep]
  }

  /// Reads a recording from a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - codec: The codec that the recording was made with.
  /// - Throws: ``JournalError/unusable(_:cause:)``; the file is not changed.
  public init(contentsOf path: String, codec: any JournalCodec = JSONJournalCodec()) throws {
    do {
      let data = try Data(contentsOf: URL(filePath: path))
      let file = try JSONDecoder().decode(File.self, from: data)
      guard file.name == R.journalName else { throw RecordingProblem.foreign(file.name) }
      let states = try R.snapshotUpgrades.run(
        file.state, from: file.snapshotVersion, to: R.snapshotVersion)
      guard let state = states.first else { throw RecordingProblem.foreign(file.name) }
      self.init(
        state: try codec.decode(R.State.self, from: state),
        steps: try file.steps.flatMap { try Self.upgraded($0, of: file) }, codec: codec)
    } catch {
      throw JournalError.unusable(path, cause: error)
    }
  }

  private static func upgraded(_ step: RecordedStep, of file: File) throws -> [RecordedStep] {
    let isOfNow = file.version == R.journalVersion && file.snapshotVersion == R.snapshotVersion
    guard step.kind == .mutation, !isOfNow else { return [step] }
    let payloads = try R.upgrades.run(step.payload, from: file.version, to: R.journalVersion)
    return payloads.map { step.replacing(payload: $0) }
  }

  /// Writes the recording to a file atomically.
  ///
  /// - Parameter path: The file; an existing one is replaced.
  /// - Throws: An error of the codec or of the file system.
  public func write(to path: String) throws {
    let file = File(
      name: R.journalName, version: R.journalVersion, snapshotVersion: R.snapshotVersion,
      state: try codec.encode(state), steps: steps)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try encoder.encode(file).write(to: URL(filePath: path), options: .atomic)
  }

  /// The number of actions.
  public var actionCount: Int { steps.count { $0.kind == .action } }

  /// An action that was taken.
  public struct Taken: Sendable {
    /// The number of the action, to which other elements of the recording refer.
    public let number: UInt64
    /// The action.
    public let action: R.Action
    /// A description of what sent the action; `nil` if it was sent from outside.
    ///
    /// It names the reactor and the action that sent it, or contains the given text.
    public let cause: String?
    /// The time since the recording began.
    public let time: Duration
  }

  /// A mutation that was reduced.
  public struct Change: Sendable {
    /// The mutation.
    public let mutation: R.Mutation
    /// The number of the action that emitted the mutation; `nil` if no action did.
    public let action: UInt64?
    /// The time since the recording began.
    public let time: Duration
  }

  /// Returns the actions in order, with what sent them.
  ///
  /// - Returns: All actions.
  /// - Throws: The codec's error for an action that cannot be decoded.
  public func actions() throws -> [Taken] {
    try steps.filter { $0.kind == .action }.map {
      Taken(
        number: $0.number, action: try codec.decode(R.Action.self, from: $0.payload),
        cause: $0.cause, time: $0.time)
    }
  }

  /// Returns the mutations in order, with the actions that emitted them.
  ///
  /// - Returns: All mutations, including transient ones.
  /// - Throws: ``JournalError`` for a mutation that cannot be decoded.
  public func changes() throws -> [Change] {
    try mutationSteps.map {
      Change(mutation: try decode($0), action: $0.action, time: $0.time)
    }
  }

  /// Returns the mutations in order.
  ///
  /// - Returns: All mutations, including transient ones.
  /// - Throws: ``JournalError`` for a mutation that cannot be decoded.
  public func mutations() throws -> [R.Mutation] { try mutationSteps.map { try decode($0) } }

  /// Restores the state at the end of the recording, with `reduce` alone.
  ///
  /// - Returns: The state.
  /// - Throws: ``JournalError/diverged(_:sequence:after:)`` at the first mutation with a hash that
  ///   does not match the state. The error also names the last mutation whose hash matched. Its
  ///   numbers are the places of the mutations in the recording, from 1 on.
  public func replay() throws -> R.State {
    var (state, agreed) = (state, 0)
    for (index, step) in mutationSteps.enumerated() {
      R.reduce(state: &state, mutation: try decode(step))
      guard let hash = step.hash else { continue }
      guard try hash == CanonicalHash.of(state) else {
        throw JournalError.diverged(key, sequence: index + 1, after: agreed)
      }
      agreed = index + 1
    }
    return state
  }

  private var key: JournalKey { JournalKey(name: R.journalName, id: "recording") }

  private var mutationSteps: [RecordedStep] { steps.filter { $0.kind == .mutation } }

  private func decode(_ step: RecordedStep) throws -> R.Mutation {
    do {
      return try codec.decode(R.Mutation.self, from: step.payload)
    } catch {
      throw JournalError.undecodable(
        key, sequence: Int(step.number), version: R.journalVersion, cause: error)
    }
  }
}

extension RecordedStep {
  /// The step with the payload of another version and without a hash, which would not match.
  fileprivate func replacing(payload: Data) -> RecordedStep {
    RecordedStep(
      kind: kind, number: number, action: action, cause: cause, isOwn: isOwn, after: after,
      payload: payload, hash: nil)
  }

  /// The step with a hash of the state after it.
  func hashed(_ hash: UInt64?) -> RecordedStep {
    RecordedStep(
      kind: kind, number: number, action: action, cause: cause, isOwn: isOwn, after: after,
      payload: payload, hash: hash)
  }

  private init(
    kind: Kind, number: UInt64, action: UInt64?, cause: String?, isOwn: Bool, after: Int64,
    payload: Data, hash: UInt64?
  ) {
    (self.kind, self.number, self.action, self.cause) = (kind, number, action, cause)
    (self.isOwn, self.after, self.payload, self.hash) = (isOwn, after, payload, hash)
  }
}

enum RecordingProblem: Error, CustomStringConvertible {
  case foreign(String)

  var description: String {
    switch self {
    case .foreign(let name): "it is a recording of '\(name)'"
    }
  }
}
