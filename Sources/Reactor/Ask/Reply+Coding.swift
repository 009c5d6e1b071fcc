/// Where the answers of decoded replies go: what carries actions to another process brings one.
///
/// ```swift
/// let decoder = JSONDecoder()
/// decoder.userInfo[.replyReturn] = ReplyReturn { id, answer in connection.answer(id, answer) }
/// room.send(try decoder.decode(Room.Action.self, from: message))
/// ```
///
/// On the other side, a ``Reply`` is found again by its ``Reply/id``. What is decoded without one
/// of these, a log say, has replies that nobody waits for.
public struct ReplyReturn: Sendable {
  /// What comes back: a value that can be encoded, or an error.
  public typealias Answer = Result<any Encodable & Sendable, any Error>

  let isAnswered: @Sendable (String, Answer) -> Void

  /// A way back.
  ///
  /// - Parameter isAnswered: Called once for each decoded reply, on whatever thread it happens:
  ///   with its ``Reply/id`` and the answer, or with an ``AskError`` when the last copy has gone
  ///   without one.
  public init(_ isAnswered: @escaping @Sendable (_ id: String, _ answer: Answer) -> Void) {
    self.isAnswered = isAnswered
  }
}

extension CodingUserInfoKey {
  /// Under which a decoder finds its ``ReplyReturn``.
  public static let replyReturn = Self(uncheckedRawValue: "Reactor.ReplyReturn")

  private init(uncheckedRawValue name: String) {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("a decoder takes no key '\(name)'")
    }
    self = key
  }
}

extension Reply {
  /// By which it is known as data, on its way to another process or in a log: `4c1f…-12`.
  ///
  /// It is the same for all copies of the reply, and for all practical purposes that of no other
  /// reply, also of another process.
  public var id: String { token.ask.knownID().description }
}

extension Reply: Encodable where Value: Encodable {
  /// Encodes what ``id`` shows, and nothing of an answer.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try token.ask.knownID().encode(to: encoder)
  }
}

extension Reply: Decodable where Value: Codable {
  /// A reply with the same ``id``, whose answer goes to the decoder's ``ReplyReturn``.
  ///
  /// - Parameter decoder: The decoder.
  /// - Throws: What the decoder throws.
  public init(from decoder: any Decoder) throws {
    let id = try ReplyID(from: decoder)
    let way = decoder.userInfo[.replyReturn] as? ReplyReturn
    self.init { answer in way?.isAnswered(id.description, answer.map { $0 }) }
    token.ask.isKnown(as: id)
  }
}
