import Foundation

/// A hash of a value's encoding that is the same for equal values in every process.
///
/// It does not use a codec. A codec writes the members of a set and the pairs of a dictionary in
/// the order of their hash tables, which differs from one process to the next. The encrypted part
/// of a ``Sealed`` value is not hashed, so discarding its key does not change the hash.
package enum CanonicalHash {
  /// Returns the hash of a value.
  ///
  /// - Parameter value: The value.
  /// - Returns: Its hash.
  /// - Throws: What the value's own encoding throws.
  package static func of(_ value: some Encodable) throws -> UInt64 {
    let node = HashNode()
    try node.put(value)
    return node.hash
  }
}

/// A hash of a state, as it is stored with an entry.
///
/// The hash contains the version of the state, because states of different versions cannot be
/// compared.
struct StateHash {
  private static let versionBits: UInt64 = 0xFFFF
  /// The version of the hash algorithm, in the upper four bits of the version bits: the second.
  private static let algorithmVersion: UInt64 = 1 << 12
  let value: UInt64

  /// A hash that was read from the store.
  init(stored value: UInt64) { self.value = value }

  init<R: JournaledReactor>(of state: R.State, in type: R.Type) throws {
    value = try CanonicalHash.of(state) & ~Self.versionBits | Self.version(type)
  }

  /// Whether the hash was made with the current version of the state.
  func isCurrent<R: JournaledReactor>(in type: R.Type) -> Bool {
    value & Self.versionBits == Self.version(type)
  }

  private static func version<R: JournaledReactor>(_ type: R.Type) -> UInt64 {
    UInt64(truncatingIfNeeded: R.snapshotVersion) & 0xFFF | algorithmVersion
  }
}

/// One node of a value that is being hashed, with its children.
///
/// It is used in one task, within one call.
final class HashNode {
  /// The kinds of values without parts.
  ///
  /// The kind is part of the hash, so that a text and a number with the same bits differ.
  enum Leaf: UInt64 { case null = 16, bool, text, number, integer, data, sealed }

  private enum Shape { case nothing, leaf(Leaf, UInt64), fields, list, unordered }

  private var shape = Shape.nothing
  private var children: [(name: String, node: HashNode)] = []

  func put(_ value: some Encodable) throws {
    switch value {
    case let data as Data: leaf(.data, Checksum.of(data))
    case let sealed as any SealedValue: leaf(.sealed, Checksum.of(Data(sealed.subject.utf8)))
    case is any ReplyValue: throw ReplyInMutation()
    case let unordered as any Unordered:
      shape = .unordered
      try unordered.forEachMember { try child("").put($0, $1) }
    default: try value.encode(to: HashEncoder(node: self))
    }
  }

  /// Adds a pair of a dictionary, or a member of a set, which has no value.
  private func put(_ key: some Encodable, _ value: (any Encodable)?) throws {
    shape = .list
    try child("").put(key)
    if let value { try child("").put(value) }
  }

  func leaf(_ kind: Leaf, _ hash: UInt64) { shape = .leaf(kind, hash) }

  func fields() { shape = .fields }

  func list() { shape = .list }

  var count: Int { children.count }

  func child(_ name: String) -> HashNode {
    let node = HashNode()
    children.append((name, node))
    return node
  }

  var hash: UInt64 {
    switch shape {
    case .nothing: 1
    case .leaf(let kind, let hash): Self.mixed(kind.rawValue, [hash])
    case .fields:
      Self.mixed(
        3,
        children.sorted { $0.name < $1.name }.flatMap {
          [Checksum.of(Data($0.name.utf8)), $0.node.hash]
        })
    case .list: Self.mixed(4, children.map(\.node.hash))
    case .unordered: Self.mixed(5, children.map(\.node.hash).sorted())
    }
  }

  private static func mixed(_ kind: UInt64, _ hashes: [UInt64]) -> UInt64 {
    hashes.reduce(kind &* 0x9e37_79b9_7f4a_7c15) { sum, hash in
      let next = (sum ^ hash) &* 0x100_0000_01b3
      return next ^ next >> 29
    }
  }
}

/// A collection whose members have no order.
private protocol Unordered {
  func forEachMember(_ body: (any Encodable, (any Encodable)?) throws -> Void) rethrows
}

extension Set: Unordered where Element: Encodable {
  fileprivate func forEachMember(
    _ body: (any Encodable, (any Encodable)?) throws -> Void
  ) rethrows { for member in self { try body(member, nil) } }
}

extension Dictionary: Unordered where Key: Encodable, Value: Encodable {
  fileprivate func forEachMember(
    _ body: (any Encodable, (any Encodable)?) throws -> Void
  ) rethrows { for (key, value) in self { try body(key, value) } }
}

/// A ``Sealed`` value of any type.
package protocol SealedValue {
  var subject: String { get }
}

extension Sealed: SealedValue {}
