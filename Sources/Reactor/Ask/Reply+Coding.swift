/// Receives the answers of decoded replies; set by a transport that passes actions between
/// processes.
///
/// ```swift
/// let decoder = JSONDecoder()
/// decoder.userInfo[.replyReturn] = ReplyReturn { id, answer in connection.answer(id, answer) }
/// room.send(try decoder.decode(Room.Action.self, from: message))
/// ```
///
/// The other process finds the ``Reply`` by its ``Reply/id``. Replies that are decoded without a
/// `ReplyReturn`, for example from a log, discard their answers.
public struct ReplyReturn: Sendable {
  /// The answer: a value that can be encoded, or an error.
  public typealias Answer = Result<any Encodable & Sendable, any Error>

  let isAnswered: @Sendable (String, Answer) -> Void

  /// Creates a receiver of answers.
  ///
  /// - Parameter isAnswered: Called once for each decoded reply, on any thread: with its
  ///   ``Reply/id`` and the answer, or with an ``AskError`` if the last copy was released without
  ///   one.
  public init(_ isAnswered: @escaping @Sendable (_ id: String, _ answer: Answer) -> Void) {
    self.isAnswered = isAnswered
  }
}

extension CodingUserInfoKey {
  /// The key of a decoder's ``ReplyReturn``.
  public static let replyReturn = Self(uncheckedRawValue: "Reactor.ReplyReturn")

  private init(uncheckedRawValue name: String) {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("a decoder takes no key '\(name)'")
    }
    self = key
  }
}

extension Reply {
  /// Identifies the reply in encoded form, for example in a message or a log: `4c1f…-12`.
  ///
  /// All copies of the reply have the same identifier. For all practical purposes, no other reply
  /// has it, in any process.
  public var id: String { token.ask.encodedID().description }
}

extension Reply: Encodable where Value: Encodable {
  /// Encodes ``id``, and nothing of an answer.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: Any error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    try token.ask.encodedID().encode(to: encoder)
  }
}

extension Reply: Decodable where Value: Codable {
  /// Decodes a reply with the same ``id``, whose answer is passed to the decoder's ``ReplyReturn``.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: Any error of the decoder.
  public init(from decoder: any Decoder) throws {
    let id = try ReplyID(from: decoder)
    let replyReturn = decoder.userInfo[.replyReturn] as? ReplyReturn
    self.init { answer in replyReturn?.isAnswered(id.description, answer.map { $0 }) }
    token.ask.isKnown(as: id)
  }
}
