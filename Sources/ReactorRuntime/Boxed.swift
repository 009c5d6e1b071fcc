/// A value that is usually empty, and then takes one word of memory.
///
/// Reading copies the value. Changing it takes it out of its box and puts it into a new one. So it
/// is also meant for values that are rarely used.
@usableFromInline
package struct Boxed<Value: EmptyInitializable>: Sendable {
  @usableFromInline
  indirect enum Box: Sendable {
    case empty
    case full(Value)
  }

  @usableFromInline var box = Box.empty

  @inlinable
  package init() {}

  @inlinable package var isEmpty: Bool { if case .empty = box { true } else { false } }

  @inlinable package var value: Value {
    get { if case .full(let value) = box { value } else { Value() } }
    _modify {
      var value = value
      // Before the change, so that the value's storage is not shared while it is changed.
      box = .empty
      defer { if !value.isEmpty { box = .full(value) } }
      yield &value
    }
  }
}

/// A value that can be empty.
@usableFromInline
package protocol EmptyInitializable: Sendable {
  init()
  var isEmpty: Bool { get }
}
