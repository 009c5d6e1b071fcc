/// Which lane: any hashable value, compared by its type and by `==`.
///
/// A report names the lane by it. `"search"` and `MyLanes.search` are different keys, and so are
/// `1` and `UInt8(1)`. Every reactor has its own lanes: equal keys in two reactors are two lanes.
public struct LaneKey: Hashable, Sendable, CustomStringConvertible {
  @usableFromInline let base: any LaneKeyBase
  /// Made where the value's type is known, it saves most comparisons where the type is not.
  @usableFromInline let hash: Int

  /// A key made of a value.
  ///
  /// - Parameter value: What tells this lane from the others.
  @inlinable
  public init<Value: Hashable & Sendable>(_ value: Value) {
    if let key = value as? LaneKey {
      self = key
    } else {
      base = TypedLaneKey(value)
      hash = value.hashValue
    }
  }

  /// Whether both have the same type and are equal.
  ///
  /// - Parameters:
  ///   - left: A key.
  ///   - right: Another.
  /// - Returns: Whether they mean the same lane.
  @inlinable
  public static func == (left: LaneKey, right: LaneKey) -> Bool {
    left.hash == right.hash && left.base.isEqual(to: right.base)
  }

  /// Feeds the value, not its type, to a hasher.
  ///
  /// - Parameter hasher: The hasher.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// The value's own description.
  public var description: String { base.text }

  /// The same where others may read it.
  var reportText: String { base.reportText }
}

extension LaneKey: ExpressibleByStringLiteral {
  /// A key made of a string, so that a report's can be compared with one: `key == "search"`.
  ///
  /// - Parameter value: The string.
  @inlinable
  public init(stringLiteral value: String) { self.init(value) }
}

/// A key whose type is known, behind a key whose type is not.
///
/// Not `AnyHashable`, which is not `Sendable`, and which looks for bridged types each time it is
/// made.
@usableFromInline
protocol LaneKeyBase: Sendable {
  func isEqual(to other: any LaneKeyBase) -> Bool
  var text: String { get }
  var reportText: String { get }
}

@usableFromInline
struct TypedLaneKey<Value: Hashable & Sendable>: LaneKeyBase {
  @usableFromInline let value: Value

  @inlinable
  init(_ value: Value) { self.value = value }

  @inlinable
  func isEqual(to other: any LaneKeyBase) -> Bool { (other as? Self)?.value == value }

  @usableFromInline var text: String { "\(value)" }
  @usableFromInline var reportText: String { ReportText.text(of: value) }
}
