import Foundation

/// An encoder that builds the nodes from which a ``CanonicalHash`` is computed.
struct HashEncoder: Encoder {
  let node: HashNode
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    node.fields()
    return KeyedEncodingContainer(Fields<Key>(node: node))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    node.list()
    return List(node: node)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { One(node: node) }

  private struct Fields<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let node: HashNode
    var codingPath: [any CodingKey] { [] }

    func encodeNil(forKey key: Key) { node.child(key.stringValue).leaf(.null, 0) }
    func encode(_ value: some Encodable, forKey key: Key) throws {
      try node.child(key.stringValue).put(value)
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
      HashEncoder(node: node.child(key.stringValue)).container(keyedBy: type)
    }
    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      HashEncoder(node: node.child(key.stringValue)).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { HashEncoder(node: node.child("super")) }
    func superEncoder(forKey key: Key) -> any Encoder {
      HashEncoder(node: node.child(key.stringValue))
    }
  }

  private struct List: UnkeyedEncodingContainer {
    let node: HashNode
    var codingPath: [any CodingKey] { [] }
    var count: Int { node.count }

    func encodeNil() { node.child("").leaf(.null, 0) }
    func encode(_ value: some Encodable) throws { try node.child("").put(value) }
    func nestedContainer<Nested: CodingKey>(
      keyedBy type: Nested.Type
    ) -> KeyedEncodingContainer<Nested> {
      HashEncoder(node: node.child("")).container(keyedBy: type)
    }
    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      HashEncoder(node: node.child("")).unkeyedContainer()
    }
    func superEncoder() -> any Encoder { HashEncoder(node: node.child("")) }
  }

  private struct One: SingleValueEncodingContainer {
    let node: HashNode
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { node.leaf(.null, 0) }
    func encode(_ value: Bool) { node.leaf(.bool, value ? 1 : 0) }
    func encode(_ value: String) { node.leaf(.text, Checksum.of(Data(value.utf8))) }
    // Zero and negative zero are equal, but their bits differ.
    func encode(_ value: Double) { node.leaf(.number, value == 0 ? 0 : value.bitPattern) }
    func encode(_ value: Float) { encode(Double(value)) }
    func encode(_ value: Int) { node.leaf(.integer, UInt64(bitPattern: Int64(value))) }
    func encode(_ value: Int8) { encode(Int(value)) }
    func encode(_ value: Int16) { encode(Int(value)) }
    func encode(_ value: Int32) { encode(Int(value)) }
    func encode(_ value: Int64) { node.leaf(.integer, UInt64(bitPattern: value)) }
    func encode(_ value: UInt) { node.leaf(.integer, UInt64(value)) }
    func encode(_ value: UInt8) { node.leaf(.integer, UInt64(value)) }
    func encode(_ value: UInt16) { node.leaf(.integer, UInt64(value)) }
    func encode(_ value: UInt32) { node.leaf(.integer, UInt64(value)) }
    func encode(_ value: UInt64) { node.leaf(.integer, value) }
    func encode(_ value: some Encodable) throws { try node.put(value) }
  }
}
