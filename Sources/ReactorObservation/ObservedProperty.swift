/// A property of the state to read and write, for a two-way binding.
@MainActor
public struct ObservedProperty<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The value.
  ///
  /// A new value is shown at once and sent to the reactor.
  public var value: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}
