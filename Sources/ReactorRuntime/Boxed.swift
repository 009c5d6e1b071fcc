/// A value that is mostly empty, and then takes one word of memory.
///
/// Reading it copies it, and changing it takes it out of its box and puts it into a new one: for
/// what is seldom touched, too.
@usableFromInline
package struct Boxed<Value: Emptiable>: Sendable {
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
      // Before the change, so that nothing in the value is shared while it is made.
      box = .empty
      defer { if !value.isEmpty { box = .full(value) } }
      yield &value
    }
  }
}

/// A value that can be told to have nothing in it.
@usableFromInline
package protocol Emptiable: Sendable {
  init()
  var isEmpty: Bool { get }
}
