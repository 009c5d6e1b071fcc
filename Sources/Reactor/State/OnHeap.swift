/// A part of a state that stands on the heap: for large values, which would not fit on the stack of
/// a small thread.
///
/// ```swift
/// struct State {
///   @OnHeap var board = Board()  // a megabyte, all of it in the value itself
/// }
/// ```
///
/// A state is moved and copied on its way through a reactor. Of this, a word is. It is a value like
/// any other: a copy is one's own, made when one of the two is next changed, and a change where
/// there is one only is made in place. Arrays, strings and dictionaries stand on the heap by
/// themselves.
///
/// The value to begin with is made on the stack of whoever makes it. Without optimisation, reading
/// `board.width` copies all of the board to get there; `$board.width` does not.
@propertyWrapper
@dynamicMemberLookup
public struct OnHeap<Value> {
  @usableFromInline var room: HeapRoom<Value>

  /// Puts a value on the heap.
  ///
  /// - Parameter wrappedValue: The value.
  @inlinable
  public init(wrappedValue: consuming Value) { room = HeapRoom(wrappedValue) }

  /// The value, where it stands.
  @inlinable
  public var wrappedValue: Value {
    _read { yield room.place.pointee }
    _modify {
      if !isKnownUniquelyReferenced(&room) { room = HeapRoom(copying: room) }
      yield &room.place.pointee
    }
  }

  /// The part itself: `$board.width` reads one field where it stands.
  @inlinable public var projectedValue: OnHeap { self }

  /// Reads a field where it stands.
  ///
  /// - Parameter field: Which one; something that is computed is made of a copy of the whole.
  @inlinable
  public subscript<Field>(dynamicMember field: KeyPath<Value, Field>) -> Field {
    guard let place = UnsafePointer(room.place).pointer(to: field) else { return computed(field) }
    return place.pointee
  }

  // Away from the above, whose frame would have room for the whole value.
  @inlinable @inline(never)
  func computed<Field>(_ field: KeyPath<Value, Field>) -> Field {
    room.place.pointee[keyPath: field]
  }
}

/// The room is only written by whoever has the only reference to it, and sent with its value.
extension OnHeap: @unchecked Sendable where Value: Sendable {}

extension OnHeap: Equatable where Value: Equatable {
  /// Compares the values.
  ///
  /// - Parameters:
  ///   - lhs: A value.
  ///   - rhs: Another.
  /// - Returns: True if they are equal, and at once if they are the same.
  @inlinable
  public static func == (lhs: OnHeap, rhs: OnHeap) -> Bool {
    lhs.room === rhs.room || lhs.room.place.pointee == rhs.room.place.pointee
  }
}

extension OnHeap: CustomReflectable {
  /// The value's.
  public var customMirror: Mirror { Mirror(reflecting: room.place.pointee) }
}

extension OnHeap: CustomDebugStringConvertible {
  /// The value, as it would be printed by itself.
  public var debugDescription: String { "\(room.place.pointee)" }
}

extension OnHeap: CustomReactorReportable {
  /// What reports show of the value.
  public var reportDescription: String { ReportText.text(of: room.place.pointee) }
}
