import Foundation

/// A recorded stretch of a reactor's life: a state, and the actions and mutations after it.
///
/// ```swift
/// let stretch = try RecordedStretch<CartReactor>(contentsOf: "cart.recording")
/// print(try stretch.replay())
/// ```
///
/// It is read under a later version of the program through the reactor's upgrades, as a journal is.
public struct RecordedStretch<R: JournaledReactor>: Sendable where R.Action: Codable {
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

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - codec: What it was recorded with.
  /// - Throws: ``JournalError/unusable(_:cause:)``; the file is left as it is.
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

  /// Writes a file, whole or not at all.
  ///
  /// - Parameter path: The file; one that is there is replaced.
  /// - Throws: What cannot be encoded, or what the file system says.
  public func write(to path: String) throws {
    let file = File(
      name: R.journalName, version: R.journalVersion, snapshotVersion: R.snapshotVersion,
      state: try codec.encode(state), steps: steps)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try encoder.encode(file).write(to: URL(filePath: path), options: .atomic)
  }

  /// How many actions there are.
  public var actionCount: Int { steps.count { $0.kind == .action } }

  /// An action as it was taken.
  public struct Taken: Sendable {
    /// Its number, by which others of the stretch refer to it.
    public let number: UInt64
    /// What was asked for.
    public let action: R.Action
    /// What sent it, in words: the reactor and which of its actions, or what was given; `nil` where
    /// it came from outside.
    public let cause: String?
    /// How long after the recording began.
    public let time: Duration
  }

  /// A mutation as it was reduced.
  public struct Change: Sendable {
    /// What was changed.
    public let mutation: R.Mutation
    /// The number of the action whose work it was; `nil` where it was no action's.
    public let action: UInt64?
    /// How long after the recording began.
    public let time: Duration
  }

  /// The actions, in order, with what sent them.
  ///
  /// - Returns: All of them.
  /// - Throws: What the codec says of one that cannot be read.
  public func actions() throws -> [Taken] {
    try steps.filter { $0.kind == .action }.map {
      Taken(
        number: $0.number, action: try codec.decode(R.Action.self, from: $0.payload),
        cause: $0.cause, time: $0.time)
    }
  }

  /// The mutations, in order, with the actions whose work they were.
  ///
  /// - Returns: All of them, transient ones as well.
  /// - Throws: ``JournalError`` for one that cannot be read.
  public func changes() throws -> [Change] {
    try mutationSteps.map {
      Change(mutation: try decode($0), action: $0.action, time: $0.time)
    }
  }

  /// The mutations, in order.
  ///
  /// - Returns: All of them, transient ones as well.
  /// - Throws: ``JournalError`` for one that cannot be read.
  public func mutations() throws -> [R.Mutation] { try mutationSteps.map { try decode($0) } }

  /// Makes the state at its end, by `reduce` alone.
  ///
  /// - Returns: The state.
  /// - Throws: ``JournalError/diverged(_:sequence:after:)`` at the first mutation with a hash after
  ///   which the state is not the one that was recorded, and with the last one where it still was;
  ///   the numbers are the mutations' places in the stretch, from 1 on.
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
  /// The same in another version: what the state was then says nothing now.
  fileprivate func replacing(payload: Data) -> RecordedStep {
    RecordedStep(
      kind: kind, number: number, action: action, cause: cause, isOwn: isOwn, after: after,
      payload: payload, hash: nil)
  }

  /// The same with a hash of the state after it.
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
