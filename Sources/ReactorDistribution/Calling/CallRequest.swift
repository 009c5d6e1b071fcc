import Foundation
import Reactor

/// What one host asks of another: a line of JSON, and the action's own bytes.
struct CallRequest: Sendable, Hashable {
  enum Verb: String, Sendable, Codable {
    /// Done when the action has been accepted.
    case send
    /// Done when the action has come to its end.
    case outcome
    /// Done when the action has been answered.
    case ask
    /// Done when there is an entry after the one named, or some time has passed.
    case follow
    /// How far the journal is.
    case last
    /// Cancels a command.
    case cancel

    /// Whether it does something, which then must not be done twice.
    var isCommand: Bool {
      switch self {
      case .send, .outcome, .ask: true
      case .follow, .last, .cancel: false
      }
    }
  }

  struct Head: Sendable, Hashable, Codable {
    var verb: Verb
    /// The reactors' name, and which of them.
    var name: String
    var id: String
    /// The same for every attempt.
    var command = UUID()
    var attempt = 1
    /// How many seconds the answer may take.
    var within: Double?
    /// For `follow`: the last entry that is known.
    var after: Int?
    /// Whether the host is to take the reactor also if it belongs elsewhere.
    var isForced = false
    /// For `last`: whether the host is to make sure, by the store, that it still has the reactor.
    var isFenced: Bool?
  }

  var head: Head
  /// The action.
  var payload = Data()

  func encoded() throws -> Data { try Frame.encode(head, payload) }

  /// - Throws: ``ClusterError/invalid(_:)``.
  init(frame: Data) throws { (head, payload) = try Frame.decode(Head.self, frame) }

  init(_ head: Head, payload: Data = Data()) { (self.head, self.payload) = (head, payload) }
}

/// What the other host says.
struct CallResponse: Sendable, Hashable {
  enum Word: String, Sendable, Codable {
    /// It has been done, or has failed: the payload is a ``CommandResult``.
    case result
    /// The number is the last entry that there is.
    case last
    /// Another host has it, or is to have it.
    case notMine
    /// The reactor ended in the middle, or the host goes: try elsewhere, with the same command.
    case ended
    /// It is being worked on, and takes longer: ask again, with the same command.
    case working
    /// Nothing has been done, and it may be otherwise the next time.
    case notBegun
    /// The reactor cannot be made, or what is kept of it not be read.
    case notMade
    case unfinished, poisoned, tooNew, unknownKind, overloaded, invalid
  }

  struct Head: Sendable, Hashable, Codable {
    var word: Word
    var number: Int?
    var owner: ClusterHost?
    var text: String?
  }

  var head: Head
  var payload = Data()

  func encoded() throws -> Data { try Frame.encode(head, payload) }

  /// - Throws: ``ClusterError/invalid(_:)``.
  init(frame: Data) throws { (head, payload) = try Frame.decode(Head.self, frame) }

  init(
    _ word: Word, number: Int? = nil, owner: ClusterHost? = nil, text: String? = nil,
    payload: Data = Data()
  ) {
    head = Head(word: word, number: number, owner: owner, text: text)
    self.payload = payload
  }

  /// What is said of an error.
  init(_ error: any Error) {
    switch error {
    case ClusterError.notMine(_, let owner): self.init(.notMine, owner: owner?.host)
    case ClusterError.unfinished: self.init(.unfinished)
    case ClusterError.poisoned(_, let takings): self.init(.poisoned, number: takings)
    case ClusterError.tooNew(_, let version): self.init(.tooNew, number: version)
    case ClusterError.unknownKind(let name): self.init(.unknownKind, text: name)
    case ClusterError.overloaded: self.init(.overloaded)
    case ClusterError.invalid(let text), ClusterError.wrongKey(let text):
      self.init(.invalid, text: text)
    case let error as NotMade: self.init(.notMade, text: ReportText.text(ofError: error.cause))
    // What waited for a command that is known here was cancelled, so it may have been begun.
    case is CancellationError: self.init(.ended, text: ReportText.text(ofError: error))
    default: self.init(.notBegun, text: ReportText.text(ofError: error))
    }
  }
}

/// One line of JSON, and what comes after it.
private enum Frame {
  static func encode(_ head: some Encodable, _ payload: Data) throws -> Data {
    var frame = try JSONEncoder().encode(head)
    frame.append(0x0A)
    frame.append(payload)
    return frame
  }

  static func decode<Head: Decodable>(_: Head.Type, _ frame: Data) throws -> (Head, Data) {
    guard let end = frame.firstIndex(of: 0x0A) else {
      throw ClusterError.invalid("a message between hosts begins with a line of JSON")
    }
    do {
      let head = try JSONDecoder().decode(Head.self, from: frame[..<end])
      return (head, Data(frame[(end + 1)...]))
    } catch {
      throw ClusterError.invalid(
        "a message between hosts cannot be read: \(ReportText.text(ofError: error))")
    }
  }
}
