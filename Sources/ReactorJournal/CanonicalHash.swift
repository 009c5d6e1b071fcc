import Foundation

/// A hash of a value's encoding that is the same for equal values in every process.
///
/// No codec is asked: the members of a set and the pairs of a dictionary have no order, and one
/// that is written in the order of its hash table would differ from one process to the next. What a
/// ``Sealed`` value hides has no part in it, so that throwing a key away changes nothing.
package enum CanonicalHash {
  /// - Parameter value: The value.
  /// - Returns: Its hash.
  /// - Throws: What its own encoding throws.
  package static func of(_ value: some Encodable) throws -> UInt64 {
    let node = HashNode()
    try node.put(value)
    return node.hash
  }
}

/// A hash of a state, as it stands beside an entry: with the version of the state in it, as states
/// of different versions have nothing to do with each other.
struct StateHash {
  private static let versionBits: UInt64 = 0xFFFF
  /// Counts the ways of hashing, in the upper four of them: this is the second.
  private static let way: UInt64 = 1 << 12
  let value: UInt64

  /// As it was kept.
  init(kept value: UInt64) { self.value = value }

  init<R: JournaledReactor>(of state: R.State, in type: R.Type) throws {
    value = try CanonicalHash.of(state) & ~Self.versionBits | Self.version(type)
  }

  /// Whether it is of the version of the state that there is now.
  func isCurrent<R: JournaledReactor>(in type: R.Type) -> Bool {
    value & Self.versionBits == Self.version(type)
  }

  private static func version<R: JournaledReactor>(_ type: R.Type) -> UInt64 {
    UInt64(truncatingIfNeeded: R.snapshotVersion) & 0xFFF | way
  }
}

/// One value on its way to its hash, and what is in it.
///
/// It is used in one task, within one call.
final class HashNode {
  /// What a value without parts is: with the same bits, a text is another value than a number.
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

  /// A pair of a dictionary, or a member of a set with nothing beside it.
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

/// What has members and no order of them.
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

/// A ``Sealed`` value, whatever is in it.
package protocol SealedValue {
  var subject: String { get }
}

extension Sealed: SealedValue {}
