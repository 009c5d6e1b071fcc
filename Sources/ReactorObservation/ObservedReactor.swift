public import Observation
public import Reactor

/// Mirrors a reactor's state on the main actor for a user interface.
///
/// Each property that is read through it is tracked by the standard `Observation` module.
///
/// ```swift
/// let counter = await ObservedReactor(CounterReactor())
/// counter.value                        // tracked: observers are notified when it changes
/// counter.send(.increase)
/// counter.set(\.name, to: "Ada") { .setName($0) }   // shown at once, and sent
/// ```
///
/// **Runs on** the main actor. **Order**: it shows states in order, never an older one after a
/// newer one; under load it skips to the newest. When an observer is notified of a change, the new
/// value is readable in the next job of the main actor, as with any `Observable`.
///
/// **Lifetime**: it keeps its reactor alive; the reactor does not keep it alive. After the reactor
/// has been stopped, the last state stays; after a `restart(from:)` the mirror continues with the
/// new states.
///
/// A value written with `set(_:to:sending:)` is shown until its action has been performed; from
/// then on, the reactor's own value is shown. Behind a `transform(state:)` that lags, an older
/// value may be shown in between.
@MainActor @dynamicMemberLookup
public final class ObservedReactor<R: Reactor>: Observable {
  /// The reactor.
  public let reactor: R

  private let registrar = ObservationRegistrar()
  private let properties = ObservedProperties<R.State>()
  /// The last state received from the reactor.
  private var received: R.State
  /// The state that is shown: `received`, with the values written here whose actions are pending.
  private var shown: R.State
  private var readers: [PartialKeyPath<R.State>: Reader] = [:]
  private var writes: [PartialKeyPath<R.State>: Write] = [:]
  private var lastWrite = 0
  /// The number of pending actions that wrote each property.
  private var unsettled: [PartialKeyPath<R.State>: Int] = [:]
  private var following: Task<Void, Never>?
  private var restarting: Task<Void, Never>?

  /// An observer that has read a property and is to be notified of its next change.
  private struct Reader {
    let isChange: (R.State, R.State) -> Bool
    let willSet: () -> Void
    let didSet: () -> Void
  }

  /// A value that was written here and sent.
  private struct Write {
    let number: Int
    let apply: (inout R.State) -> Void
    let isSame: (R.State, R.State) -> Bool
    /// Whether the action has been performed, except for its effects.
    var isPerformed = false
    /// Whether an effect of the action may still set the value.
    var isAwaited = false
    /// The state after the action's immediate changes, while its effect is awaited.
    var baseline: R.State?
  }

  /// Creates a mirror that begins with the reactor's current state.
  ///
  /// - Parameter reactor: The reactor.
  public convenience init(_ reactor: R) async {
    self.init(reactor, beginningWith: await reactor.currentState)
  }

  /// Creates a mirror that shows a given state until it has received the reactor's own.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - state: The state to show first.
  public init(_ reactor: R, beginningWith state: R.State) {
    self.reactor = reactor
    received = state
    shown = state
    restarting = Task { [weak self, restarts = reactor.restarts()] in
      for await _ in restarts { self?.follow() }
    }
    follow()
  }

  deinit {
    following?.cancel()
    restarting?.cancel()
  }

  // MARK: Reading

  /// The whole state; its observers are notified of every change.
  public var state: R.State {
    track(\.self) { _, _ in true }
    return shown
  }

  /// A property of the state; its observers are notified when its value differs.
  ///
  /// - Parameter keyPath: The property.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<R.State, Value>) -> Value {
    track(keyPath) { $0[keyPath: keyPath] != $1[keyPath: keyPath] }
    return shown[keyPath: keyPath]
  }

  /// A property of the state that is not `Equatable`; its observers are notified of every state.
  ///
  /// - Parameter keyPath: The property.
  public subscript<Value>(dynamicMember keyPath: KeyPath<R.State, Value>) -> Value {
    track(keyPath) { _, _ in true }
    return shown[keyPath: keyPath]
  }

  private func track<Value>(
    _ keyPath: KeyPath<R.State, Value>, isChange: @escaping (R.State, R.State) -> Bool
  ) {
    let (registrar, properties) = (registrar, properties)
    registrar.access(properties, keyPath: \ObservedProperties<R.State>.[keyPath])
    guard readers[keyPath] == nil else { return }
    readers[keyPath] = Reader(
      isChange: isChange,
      willSet: {
        registrar.willSet(properties, keyPath: \ObservedProperties<R.State>.[keyPath])
      },
      didSet: { registrar.didSet(properties, keyPath: \ObservedProperties<R.State>.[keyPath]) })
  }

  // MARK: Writing

  /// Sends an action to the reactor.
  ///
  /// - Parameter action: The action.
  /// - Returns: Its receipt.
  @discardableResult
  public func send(_ action: R.Action) -> ActionReceipt<R> { reactor.send(action) }

  /// Writes a value that is shown at once, and sends it to the reactor.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - value: The value.
  ///   - action: Creates the action that sets the value in the reactor.
  /// - Returns: The action's receipt.
  @discardableResult
  public func set<Value>(
    _ keyPath: WritableKeyPath<R.State, Value>, to value: Value,
    sending action: (Value) -> R.Action
  ) -> ActionReceipt<R> {
    write(keyPath, value, action) { _, _ in true }
  }

  /// Writes a value that is shown at once, and sends it to the reactor.
  ///
  /// If an effect of the action sets the value, the written value is shown until then.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - value: The value.
  ///   - action: Creates the action that sets the value in the reactor.
  /// - Returns: The action's receipt.
  @discardableResult
  public func set<Value: Equatable>(
    _ keyPath: WritableKeyPath<R.State, Value>, to value: Value,
    sending action: (Value) -> R.Action
  ) -> ActionReceipt<R> {
    write(keyPath, value, action) { $0[keyPath: keyPath] == $1[keyPath: keyPath] }
  }

  private func write<Value>(
    _ keyPath: WritableKeyPath<R.State, Value>, _ value: Value, _ action: (Value) -> R.Action,
    isSame: @escaping (R.State, R.State) -> Bool
  ) -> ActionReceipt<R> {
    lastWrite += 1
    let number = lastWrite
    writes[keyPath] = Write(
      number: number, apply: { $0[keyPath: keyPath] = value }, isSame: isSame)
    unsettled[keyPath, default: 0] += 1
    // Sent first: an observer that is notified may write, and what that sends comes after.
    let receipt = reactor.send(action(value))
    show()
    Task { [weak self] in
      await receipt.performed
      if receipt.hasOpenWork {
        self?.didPerform(number, of: keyPath, isAwaited: true)
        await receipt.settled
      }
      self?.didSettle(number, of: keyPath)
    }
    return receipt
  }

  /// Returns a property to read and write, for a control.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - action: Creates the action that sets the value in the reactor.
  /// - Returns: The property.
  public func property<Value: Equatable>(
    _ keyPath: WritableKeyPath<R.State, Value>, sending action: @escaping (Value) -> R.Action
  ) -> ObservedProperty<Value> {
    ObservedProperty(
      get: { self[dynamicMember: keyPath] },
      set: { self.set(keyPath, to: $0, sending: action) })
  }

  private func didSettle(_ number: Int, of path: PartialKeyPath<R.State>) {
    unsettled[path, default: 1] -= 1
    if unsettled[path] == 0 { unsettled[path] = nil }
    didPerform(number, of: path, isAwaited: false)
  }

  private func didPerform(_ number: Int, of path: PartialKeyPath<R.State>, isAwaited: Bool) {
    guard writes[path]?.number == number else { return }
    writes[path]?.isPerformed = true
    writes[path]?.isAwaited = isAwaited
    // A subscription that begins now begins with a state that includes the action.
    follow()
  }

  // MARK: Following

  private func follow() {
    following?.cancel()
    let performed = writes.values.filter(\.isPerformed).map(\.number)
    following = Task { [weak self, states = reactor.state.buffering(.newest)] in
      for await state in states {
        guard !Task.isCancelled else { return }
        self?.receive(state, performed: performed)
      }
    }
  }

  private func receive(_ state: R.State, performed: [Int]) {
    received = state
    for (path, write) in writes where performed.contains(write.number) {
      if isOver(write, at: path, with: state) {
        writes[path] = nil
      } else if write.baseline == nil {
        writes[path]?.baseline = state
      }
    }
    show()
  }

  /// Whether the reactor's own value is to be shown from now on.
  private func isOver(
    _ write: Write, at path: PartialKeyPath<R.State>, with state: R.State
  ) -> Bool {
    guard write.isAwaited else { return true }
    // The property has changed since, and no older write is pending that could have changed it.
    guard let baseline = write.baseline, unsettled[path] == 1 else { return false }
    return !write.isSame(baseline, state)
  }

  private func show() {
    let new = written(over: received)
    let changed = readers.filter { $0.value.isChange(shown, new) }
    // An observer that is notified reads again, and is registered again then.
    for path in changed.keys { readers[path] = nil }
    for reader in changed.values { reader.willSet() }
    // Not `new`: an observer that was notified may have written something.
    shown = written(over: received)
    for reader in changed.values { reader.didSet() }
  }

  private func written(over state: R.State) -> R.State {
    var state = state
    for write in writes.values.sorted(by: { $0.number < $1.number }) { write.apply(&state) }
    return state
  }
}

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

/// The key paths by which the registrar identifies the properties; they are never read.
private final class ObservedProperties<State>: Observable, Sendable {
  subscript<Value>(_ keyPath: KeyPath<State, Value>) -> Value? { nil }
}
