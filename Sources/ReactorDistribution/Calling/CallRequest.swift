import Foundation
import Reactor

/// A call from one host to another: a line of JSON, followed by the encoded action.
struct CallRequest: Sendable, Hashable {
  enum Verb: String, Sendable, Codable {
    /// Returns when the action has been accepted.
    case send
    /// Returns when the action has ended.
    case outcome
    /// Returns when the action has been answered.
    case ask
    /// Returns when there is an entry after the given one, or after some time.
    case follow
    /// Returns the last entry of the journal.
    case last
    /// Cancels a command.
    case cancel

    /// Whether it executes an action, which must not be done twice.
    var isCommand: Bool {
      switch self {
      case .send, .outcome, .ask: true
      case .follow, .last, .cancel: false
      }
    }
  }

  struct Head: Sendable, Hashable, Codable {
    var verb: Verb
    /// The name and the identifier of the reactor.
    var name: String
    var id: String
    /// The same for every attempt.
    var command = UUID()
    var attempt = 1
    /// How many seconds the answer may take.
    var within: Double?
    /// For `follow`: the last entry that the caller has.
    var after: Int?
    /// Whether the host is to take the reactor even if its place is another host.
    var isForced = false
    /// For `last`: whether the host is to confirm with the store that it still owns the reactor.
    var isFenced: Bool?
  }

  var head: Head
  /// The encoded action.
  var payload = Data()

  func encoded() throws -> Data { try Frame.encode(head, payload) }

  /// Decodes a request.
  ///
  /// - Throws: ``ClusterError/invalid(_:)``.
  init(frame: Data) throws { (head, payload) = try Frame.decode(Head.self, frame) }

  init(_ head: Head, payload: Data = Data()) { (self.head, self.payload) = (head, payload) }
}

/// The answer of another host.
struct CallResponse: Sendable, Hashable {
  enum Word: String, Sendable, Codable {
    /// The command has ended; the payload is a ``CommandResult``.
    case result
    /// The number is that of the last entry.
    case last
    /// Another host owns the reactor, or is to take it.
    case notOwner
    /// The reactor ended during the command, or the host is leaving; try another host, with the
    /// same command.
    case ended
    /// The command is running and takes longer; call again, with the same command.
    case working
    /// Nothing has been done, and another attempt may succeed.
    case notBegun
    /// The reactor cannot be made, or its journal cannot be read.
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

  /// Decodes a response.
  ///
  /// - Throws: ``ClusterError/invalid(_:)``.
  init(frame: Data) throws { (head, payload) = try Frame.decode(Head.self, frame) }

  init(
    _ word: Word, number: Int? = nil, owner: ClusterHost? = nil, text: String? = nil,
    payload: Data = Data()
  ) {
    head = Head(word: word, number: number, owner: owner, text: text)
    self.payload = payload
  }

  /// Returns the response for an error.
  init(_ error: any Error) {
    switch error {
    case ClusterError.notOwner(_, let owner): self.init(.notOwner, owner: owner?.host)
    case ClusterError.unfinished: self.init(.unfinished)
    case ClusterError.poisoned(_, let takings): self.init(.poisoned, number: takings)
    case ClusterError.tooNew(_, let version): self.init(.tooNew, number: version)
    case ClusterError.unknownKind(let name): self.init(.unknownKind, text: name)
    case ClusterError.overloaded: self.init(.overloaded)
    case ClusterError.invalid(let text), ClusterError.wrongKey(let text):
      self.init(.invalid, text: text)
    case let error as CreationError:
      self.init(.notMade, text: ReportText.text(ofError: error.cause))
    // The task that waited for a command was cancelled, so the command may have begun.
    case is CancellationError: self.init(.ended, text: ReportText.text(ofError: error))
    default: self.init(.notBegun, text: ReportText.text(ofError: error))
    }
  }
}

/// A line of JSON, followed by bytes.
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
