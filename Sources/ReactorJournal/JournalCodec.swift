public import Foundation

/// Encodes mutations and states for a journal, and decodes them.
///
/// A journal can only be read with the codec that wrote it, so an existing journal has to keep its
/// codec. The functions may be called from any thread. To support ``Sealed`` values, put the
/// ``SubjectKeys`` into the `userInfo` of the encoder and decoder, under
/// `CodingUserInfoKey.subjectKeys`.
public protocol JournalCodec: Sendable {
  /// Encodes a value.
  ///
  /// - Parameter value: The mutation or state.
  /// - Returns: The encoded bytes.
  /// - Throws: An error if the value cannot be encoded; the reactor ends then.
  func encode<Value: Encodable>(_ value: Value) throws -> Data

  /// Decodes a value.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The encoded bytes.
  /// - Returns: The value.
  /// - Throws: An error if the bytes do not contain such a value.
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

/// A codec that writes JSON with sorted keys; the default.
public struct JSONJournalCodec: JournalCodec {
  // They are shared by all values, since creating one takes longer than encoding a small mutation.
  // They are never changed.
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  /// Creates a codec.
  ///
  /// - Parameter subjects: The keys that encrypt ``Sealed`` values; without it, such values cannot
  ///   be encoded.
  public init(subjects: (any SubjectKeys)? = nil) {
    encoder.outputFormatting = .sortedKeys
    guard let subjects else { return }
    encoder.userInfo[.subjectKeys] = subjects
    decoder.userInfo[.subjectKeys] = subjects
  }

  /// Encodes a value as JSON.
  ///
  /// - Parameter value: The value.
  /// - Returns: The encoded bytes.
  /// - Throws: An error if the value cannot be encoded.
  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    try encoder.encode(value)
  }

  /// Decodes a value from JSON.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - data: The encoded bytes.
  /// - Returns: The value.
  /// - Throws: An error if the bytes do not contain such a value.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try decoder.decode(type, from: data)
  }
}
