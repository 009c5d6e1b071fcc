/// Identifies a lane: any hashable value, compared by its type and by `==`.
///
/// Reports name the lane by its key. `"search"` and `MyLanes.search` are different keys, and so are
/// `1` and `UInt8(1)`. Every reactor has its own lanes: equal keys in two reactors are two lanes.
public struct LaneKey: Hashable, Sendable, CustomStringConvertible {
  /// The value: a string, which is the usual case, or a type-erased value.
  @usableFromInline
  enum Value: Sendable {
    case string(String)
    /// The hash was made where the type was known. It saves most comparisons where the type is not
    /// known.
    case other(any LaneKeyBase, hash: Int)
  }

  @usableFromInline let value: Value

  /// Creates a key from a value.
  ///
  /// - Parameter value: Distinguishes this lane from the others.
  @inlinable
  public init<Value: Hashable & Sendable>(_ value: Value) {
    if let key = value as? LaneKey {
      self = key
    } else if let string = value as? String {
      self.value = .string(string)
    } else {
      self.value = .other(TypedLaneKey(value), hash: value.hashValue)
    }
  }

  /// Whether both keys have values of the same type that are equal.
  ///
  /// - Parameters:
  ///   - left: A key.
  ///   - right: Another key.
  /// - Returns: Whether they identify the same lane.
  @inlinable
  public static func == (left: LaneKey, right: LaneKey) -> Bool {
    switch (left.value, right.value) {
    case (.string(let left), .string(let right)): left == right
    case (.other(let left, let leftHash), .other(let right, let rightHash)):
      leftHash == rightHash && left.isEqual(to: right)
    default: false
    }
  }

  /// Feeds the value, without its type, to a hasher.
  ///
  /// - Parameter hasher: The hasher.
  @inlinable
  public func hash(into hasher: inout Hasher) {
    switch value {
    case .string(let string): hasher.combine(string)
    case .other(_, let hash): hasher.combine(hash)
    }
  }

  /// The value's own description.
  public var description: String {
    switch value {
    case .string(let string): string
    case .other(let base, _): base.text
    }
  }

  /// The value as reports show it.
  var reportText: String {
    switch value {
    case .string(let string): ReportText.text(of: string)
    case .other(let base, _): base.reportText
    }
  }
}

extension LaneKey: CustomReactorReportable {
  /// The value as reports show it.
  public var reportDescription: String { reportText }
}

extension LaneKey: ExpressibleByStringLiteral {
  /// Creates a key from a string, so that a report's key can be compared with a literal: `key ==
  /// "search"`.
  ///
  /// - Parameter value: The string.
  @inlinable
  public init(stringLiteral value: String) { self.init(value) }
}

/// A type-erased key.
///
/// Not `AnyHashable`, which is not `Sendable`, and which looks up bridged types each time one is
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
