import Foundation
import ReactorJournal

/// The names of all fields of a value, including those that are `nil` and not encoded.
///
/// ```text
/// added, added.title, added.year
/// ```
enum FieldPaths {
  /// Returns the fields of a value.
  ///
  /// - Returns: The fields in alphabetical order; `nil` if the value cannot be encoded.
  static func of(_ value: some Encodable) -> String? {
    let collector = PathCollector()
    do {
      try Position(collector: collector, path: "").put(value)
    } catch {
      return nil
    }
    return collector.paths.sorted().joined(separator: ", ")
  }

  /// Used in one task, within one call.
  fileprivate final class PathCollector { var paths: Set<String> = [] }

  /// A position in the value, with the fields that were found.
  fileprivate struct Position {
    let collector: PathCollector
    let path: String

    func field(_ key: any CodingKey) -> Position {
      let path = path.isEmpty ? key.stringValue : "\(path).\(key.stringValue)"
      collector.paths.insert(path)
      return Position(collector: collector, path: path)
    }

    var member: Position { Position(collector: collector, path: path + "[]") }

    func put(_ value: some Encodable) throws {
      switch value {
      // Their contents are not part of the shape, or cannot be read.
      case is Data, is Date, is URL, is Decimal, is any SealedValue, is any Keyed: break
      case is Bool, is String, is any BinaryInteger, is any BinaryFloatingPoint: break
      default: try value.encode(to: FieldEncoder(position: self))
      }
    }
  }
}

/// A collection whose keys are data.
private protocol Keyed {}

extension Dictionary: Keyed {}

private struct FieldEncoder: Encoder {
  let position: FieldPaths.Position
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    KeyedEncodingContainer(Fields<Key>(position: position))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer { Members(position: position.member) }

  func singleValueContainer() -> any SingleValueEncodingContainer { One(position: position) }
}

private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
  let position: FieldPaths.Position
  var codingPath: [any CodingKey] { [] }

  func encodeNil(forKey key: Key) { _ = position.field(key) }
  func encode(_ value: some Encodable, forKey key: Key) throws {
    try position.field(key).put(value)
  }

  // The default implementations would skip a field that is `nil`.
  func encodeIfPresent(_ value: Bool?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: String?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: Double?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: Float?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: Int?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: Int8?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: Int16?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: Int32?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: Int64?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: UInt?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: UInt8?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: UInt16?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: UInt32?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: UInt64?, forKey key: Key) { _ = position.field(key) }
  func encodeIfPresent(_ value: (some Encodable)?, forKey key: Key) throws {
    let field = position.field(key)
    if let value { try field.put(value) }
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    FieldEncoder(position: position.field(key)).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    FieldEncoder(position: position.field(key)).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { FieldEncoder(position: position) }
  func superEncoder(forKey key: Key) -> any Encoder { FieldEncoder(position: position.field(key)) }
}

private struct Members: UnkeyedEncodingContainer {
  let position: FieldPaths.Position
  var codingPath: [any CodingKey] { [] }
  var count: Int { 0 }

  func encodeNil() {}
  func encode(_ value: some Encodable) throws { try position.put(value) }
  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> { FieldEncoder(position: position).container(keyedBy: type) }
  func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    FieldEncoder(position: position).unkeyedContainer()
  }
  func superEncoder() -> any Encoder { FieldEncoder(position: position) }
}

private struct One: SingleValueEncodingContainer {
  let position: FieldPaths.Position
  var codingPath: [any CodingKey] { [] }

  func encodeNil() {}
  func encode(_ value: some Encodable) throws { try position.put(value) }
}
