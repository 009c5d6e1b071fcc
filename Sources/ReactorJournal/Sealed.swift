public import Foundation
import Reactor
import ReactorRuntime

/// Keys to encrypt by, one for each person or thing that data is about.
///
/// The library encrypts nothing itself: write these two functions with the cryptography that you
/// trust, and an authenticated cipher. Write down, in what you return, which key it was: a subject
/// whose key was thrown away may come again, and get a new one.
///
/// An object, as it matters which keys a value is sealed with: with the same keys, it is sealed
/// once.
public protocol SubjectKeys: AnyObject, Sendable {
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
/// The copies of one are sealed once, so that no snapshot brings back a value forgotten meanwhile.
/// The reactor that lives has the value until it ends: make no new `Sealed` of that, which would be
/// sealed with a new key.
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
  private let seal: Seal

  /// - Parameters:
  ///   - value: The value.
  ///   - subject: Whose it is.
  public init(_ value: Value, for subject: String) {
    (self.value, self.subject, seal) = (value, subject, Seal())
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
    let keys = try Self.keys(decoder.userInfo)
    seal = Seal(sealed, with: keys)
    value = try keys.open(sealed, for: subject).map {
      try JSONDecoder().decode(Value.self, from: $0)
    }
  }

  /// Encrypts the value, the first time; then, and where it cannot be read any more, it stays what
  /// it is.
  ///
  /// - Parameter encoder: Where to.
  /// - Throws: ``JournalError``, or what the keys throw.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(subject, forKey: .subject)
    let sealed = try seal.data(with: try Self.keys(encoder.userInfo)) { keys in
      try value.map { try keys.seal(try JSONEncoder().encode($0), for: subject) }
    }
    try container.encode(sealed, forKey: .sealed)
  }

  private static func keys(
    _ userInfo: [CodingUserInfoKey: Any]
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

/// What a value and its copies are as they are kept, from the first time on.
///
/// Holds: `kept`, guarded by its own lock, under which no key is used.
private final class Seal: Sendable {
  /// By the keys that it is sealed with: mostly one.
  private let kept: Guarded<[(keys: any SubjectKeys, data: Data)]>

  init() { kept = Guarded([]) }

  init(_ data: Data, with keys: any SubjectKeys) { kept = Guarded([(keys, data)]) }

  /// - Parameters:
  ///   - keys: What to seal with.
  ///   - make: Seals, unless the value cannot be read any more.
  /// - Returns: What it was sealed as before; else what it is from now on.
  /// - Throws: What `make` throws.
  func data(
    with keys: any SubjectKeys, _ make: (any SubjectKeys) throws -> Data?
  ) throws -> Data? {
    if let data = kept.withLock({ Self.find(keys, in: $0) }) { return data }
    guard let new = try make(keys) else { return kept.withLock { $0.first?.data } }
    return kept.withLock { kept in
      if let data = Self.find(keys, in: kept) { return data }
      kept.append((keys, new))
      return new
    }
  }

  private static func find(
    _ keys: any SubjectKeys, in kept: [(keys: any SubjectKeys, data: Data)]
  ) -> Data? { kept.first { $0.keys === keys }?.data }
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
