/// A value behind a pointer, for what is seldom there: absent, it takes one word.
@usableFromInline
indirect enum Boxed<Value: Sendable>: Sendable {
  case it(Value)

  @inlinable var value: Value {
    switch self {
    case .it(let value): value
    }
  }
}

/// A value that is seldom more than empty.
@usableFromInline
protocol Emptiable: Sendable {
  init()
  var isEmpty: Bool { get }
}

extension Optional {
  /// The value, or an empty one; it is there as long as there is something in it.
  @inlinable
  subscript<Value: Emptiable>(_: Value.Type = Value.self) -> Value where Wrapped == Boxed<Value> {
    get { self?.value ?? Value() }
    _modify {
      var value = self?.value ?? Value()
      // Before the change, so that nothing in the value is shared while it is made.
      self = nil
      defer { self = value.isEmpty ? nil : .it(value) }
      yield &value
    }
  }
}
