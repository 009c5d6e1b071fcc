public import Foundation
import Reactor
import ReactorRuntime

/// The keys that encrypt ``Sealed`` values, one for each person or thing that the data is about.
///
/// ```swift
/// final class Vault: SubjectKeys {
///   func seal(_ data: Data, for subject: String) throws -> Data { … }
///   func open(_ data: Data, for subject: String) throws -> Data? { … }
/// }
/// ```
///
/// The library contains no encryption. Implement these two functions with cryptography that you
/// trust, and use an authenticated cipher. Include an identifier of the key in the bytes that you
/// return: a subject whose key was discarded may return later and get a new key.
///
/// It is a class because its identity matters: a value is sealed once with the same keys.
public protocol SubjectKeys: AnyObject, Sendable {
  /// Encrypts data.
  ///
  /// - Parameters:
  ///   - data: The data.
  ///   - subject: The subject whose key is used; the key is made if there is none.
  /// - Returns: The encrypted data, which is stored.
  /// - Throws: An error if the data cannot be encrypted; the reactor ends then.
  func seal(_ data: Data, for subject: String) throws -> Data

  /// Decrypts data.
  ///
  /// - Parameters:
  ///   - data: The stored data.
  ///   - subject: The subject whose key is used.
  /// - Returns: The decrypted data; `nil` if the key has been discarded.
  /// - Throws: An error if the data is not what was sealed.
  func open(_ data: Data, for subject: String) throws -> Data?
}

/// A value in a mutation or a state that is stored encrypted with a key of its subject.
///
/// A journal is never edited. To delete the data of a person, discard the person's key. The value
/// is then `nil` wherever it is stored, and everything else can be replayed as before.
///
/// ```swift
/// enum Mutation: Codable { case registered(name: Sealed<String>) }
/// let journal = try await Journal(.sqlite(at: path), codec: JSONJournalCodec(subjects: keys))
/// ```
///
/// All copies of a value are sealed once, so a later snapshot does not restore a value whose key
/// has been discarded. A reactor that is alive has the value until it ends. Do not make a new
/// `Sealed` from it, which would be sealed with a new key.
public struct Sealed<Value: Codable & Sendable>: Codable, Sendable {
  /// The subject whose key encrypts the value.
  public let subject: String
  /// The value; `nil` if the key has been discarded.
  public let value: Value?
  private let seal: Seal

  /// Creates a value that is encrypted when it is stored.
  ///
  /// - Parameters:
  ///   - value: The value.
  ///   - subject: The person or thing that the value is about.
  public init(_ value: Value, for subject: String) {
    (self.value, self.subject, seal) = (value, subject, Seal())
  }

  private enum CodingKeys: CodingKey { case subject, sealed }

  /// Decrypts a value; if the key has been discarded, the value is `nil`.
  ///
  /// - Parameter decoder: The decoder.
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

  /// Encrypts the value the first time, and writes the same bytes each time after that.
  ///
  /// A value that can no longer be decrypted is written with the bytes that were read.
  ///
  /// - Parameter encoder: The encoder.
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
  /// Whether the values and their subjects are equal.
  ///
  /// - Parameters:
  ///   - one: A value.
  ///   - other: Another one.
  /// - Returns: Whether they are equal.
  public static func == (one: Self, other: Self) -> Bool {
    one.subject == other.subject && one.value == other.value
  }
}

/// The encrypted bytes that a value and its copies share.
///
/// Holds: `ciphertexts`, guarded by its own lock. No key is used under the lock.
private final class Seal: Sendable {
  /// The bytes for each set of keys that they were sealed with; usually one.
  private let ciphertexts: Guarded<[(keys: any SubjectKeys, data: Data)]>

  init() { ciphertexts = Guarded([]) }

  init(_ data: Data, with keys: any SubjectKeys) { ciphertexts = Guarded([(keys, data)]) }

  /// Returns the encrypted bytes, and makes them if they do not exist.
  ///
  /// - Parameters:
  ///   - keys: The keys to seal with.
  ///   - make: Seals the value; returns `nil` if the value cannot be decrypted any more.
  /// - Returns: The existing bytes, or the new ones.
  /// - Throws: What `make` throws.
  func data(
    with keys: any SubjectKeys, _ make: (any SubjectKeys) throws -> Data?
  ) throws -> Data? {
    if let data = ciphertexts.withLock({ Self.find(keys, in: $0) }) { return data }
    guard let new = try make(keys) else { return ciphertexts.withLock { $0.first?.data } }
    return ciphertexts.withLock { ciphertexts in
      if let data = Self.find(keys, in: ciphertexts) { return data }
      ciphertexts.append((keys, new))
      return new
    }
  }

  private static func find(
    _ keys: any SubjectKeys, in ciphertexts: [(keys: any SubjectKeys, data: Data)]
  ) -> Data? { ciphertexts.first { $0.keys === keys }?.data }
}

/// A ``Sealed`` value was encoded or decoded by a codec without ``SubjectKeys``.
struct SealedWithoutKeys: Error, CustomStringConvertible {
  var description: String { "a sealed value needs a codec with keys: JSONJournalCodec(subjects:)" }
}

extension CodingUserInfoKey {
  /// The key under which a codec of your own puts its ``SubjectKeys``, so that ``Sealed`` values
  /// find them.
  public static let subjectKeys = named("Reactor.subjectKeys")

  private static func named(_ name: String) -> CodingUserInfoKey {
    guard let key = CodingUserInfoKey(rawValue: name) else {
      preconditionFailure("any name is one")
    }
    return key
  }
}
