public import Foundation

/// How mutations and states become bytes.
///
/// What was written by one codec is read by the same one, so a journal that exists keeps its codec.
public protocol JournalCodec: Sendable {
  /// - Parameter value: The mutation or state.
  /// - Returns: Its bytes.
  /// - Throws: When it cannot be encoded; the reactor ends then.
  func encode<Value: Encodable>(_ value: Value) throws -> Data

  /// - Parameters:
  ///   - type: What was encoded.
  ///   - data: Its bytes.
  /// - Returns: The value.
  /// - Throws: When that is not what the bytes say.
  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value
}

/// JSON, with the keys of objects in order; the default.
public struct JSONJournalCodec: JournalCodec {
  // One of each for all values, since making one takes longer than a small mutation; they are not
  // changed.
  private let encoder = JSONEncoder()
  private let decoder = JSONDecoder()

  /// - Parameter subjects: What ``Sealed`` values are encrypted with; without it, they cannot be
  ///   encoded.
  public init(subjects: (any SubjectKeys)? = nil) {
    encoder.outputFormatting = .sortedKeys
    guard let subjects else { return }
    encoder.userInfo[.subjectKeys] = subjects
    decoder.userInfo[.subjectKeys] = subjects
  }

  /// Encodes as JSON.
  ///
  /// - Parameter value: The value.
  /// - Returns: Its bytes.
  /// - Throws: When it cannot be encoded.
  public func encode<Value: Encodable>(_ value: Value) throws -> Data {
    try encoder.encode(value)
  }

  /// Decodes JSON.
  ///
  /// - Parameters:
  ///   - type: What was encoded.
  ///   - data: Its bytes.
  /// - Returns: The value.
  /// - Throws: When that is not what the bytes say.
  public func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    try decoder.decode(type, from: data)
  }
}
