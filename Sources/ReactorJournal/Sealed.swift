public import Foundation

/// Keys to encrypt by, one for each person or thing that data is about.
///
/// The library encrypts nothing itself: write these two functions with the cryptography that you
/// trust, and an authenticated cipher.
public protocol SubjectKeys: Sendable {
  /// - Parameters:
  ///   - data: What to encrypt.
  ///   - subject: With whose key; it is made if there is none.
  /// - Returns: What to keep.
  /// - Throws: When it cannot be encrypted; the reactor ends then.
  func seal(_ data: Data, for subject: String) throws -> Data

  /// - Parameters:
  ///   - data: What was kept.
  ///   - subject: Whose it is.
  /// - Returns: What it says; `nil` where the key has been thrown away.
  /// - Throws: When it is not what was sealed.
  func open(_ data: Data, for subject: String) throws -> Data?
}

/// A value in a mutation or a state that is encrypted, where it is kept, with its subject's key.
///
/// A journal is never edited. To forget a person, throw the key away: the value is `nil` from then
/// on, wherever it is kept, and all else can be replayed as before.
///
/// ```swift
/// enum Mutation: Codable { case registered(name: Sealed<String>) }
/// let journal = try await Journal(.sqlite(at: path), codec: JSONJournalCodec(subjects: keys))
/// ```
public struct Sealed<Value: Codable & Sendable>: Codable, Sendable {
  /// Whose key it is encrypted with.
  public let subject: String
  /// The value; `nil` once the key has been thrown away.
  public let value: Value?
  /// What is kept where the value cannot be read any more: it stays what it is.
  private let sealed: Data?

  /// - Parameters:
  ///   - value: The value.
  ///   - subject: Whose it is.
  public init(_ value: Value, for subject: String) {
    (self.value, self.subject, sealed) = (value, subject, nil)
  }

  private enum CodingKeys: CodingKey { case subject, sealed }

  /// Decrypts the value; without its key it is `nil`.
  ///
  /// - Parameter decoder: Where from.
  /// - Throws: What the keys throw.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    subject = try container.decode(String.self, forKey: .subject)
    let sealed = try container.decode(Data.self, forKey: .sealed)
    self.sealed = sealed
    value = try Self.keys(decoder.userInfo, decoder.codingPath).open(sealed, for: subject).map {
      try JSONDecoder().decode(Value.self, from: $0)
    }
  }

  /// Encrypts the value; one that cannot be read any more stays what it is.
  ///
  /// - Parameter encoder: Where to.
  /// - Throws: ``JournalError``, or what the keys throw.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(subject, forKey: .subject)
    if let value {
      let keys = try Self.keys(encoder.userInfo, encoder.codingPath)
      try container.encode(
        try keys.seal(try JSONEncoder().encode(value), for: subject), forKey: .sealed)
    } else {
      try container.encode(sealed, forKey: .sealed)
    }
  }

  private static func keys(
    _ userInfo: [CodingUserInfoKey: Any], _ path: [any CodingKey]
  ) throws -> any SubjectKeys {
    guard let keys = userInfo[.subjectKeys] as? any SubjectKeys else {
      throw SealedWithoutKeys()
    }
    return keys
  }
}

extension Sealed: Equatable where Value: Equatable {
  /// Whether the values are equal, and of one subject.
  ///
  /// - Parameters:
  ///   - one: A value.
  ///   - other: Another one.
  /// - Returns: Whether they are.
  public static func == (one: Self, other: Self) -> Bool {
    one.subject == other.subject && one.value == other.value
  }
}

/// A ``Sealed`` value met a codec that has no ``SubjectKeys``.
struct SealedWithoutKeys: Error, CustomStringConvertible {
  var description: String { "a sealed value needs a codec with keys: JSONJournalCodec(subjects:)" }
}

extension CodingUserInfoKey {
  /// Where a codec of your own puts its ``SubjectKeys``, so that ``Sealed`` values find them.
  public static let subjectKeys = named("Reactor.subjectKeys")

  private static func named(_ name: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("any name is one")
    }
    return key
  }
}
