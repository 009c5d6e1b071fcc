public import Observation
public import Reactor

/// A reactor's state on the main actor, for a user interface: what is read through it is tracked,
/// property by property, by the standard `Observation` module.
///
/// ```swift
/// let counter = await ObservedReactor(CounterReactor())
/// counter.value                        // tracked: its readers are told when it changes
/// counter.send(.increase)
/// counter.set(\.name, to: "Ada") { .setName($0) }   // shown at once, and sent
/// ```
///
/// **Runs on** the main actor. **Order**: it shows newer and newer states, never an older one;
/// under load it skips to the newest. When a reader is told of a change, the new value is there
/// with the next turn of the main actor, as with any `Observable`.
///
/// **Lifetime**: it holds its reactor; its reactor does not hold it. Once the reactor has been
/// stopped, the last state stays; after a `restart(from:)` the mirror goes on with what comes.
///
/// A value written with `set(_:to:sending:)` is shown until the action that it was sent with has
/// been performed; from then on the reactor's own state is. Behind a `transform(state:)` that lags,
/// an older value may show in between.
@MainActor @dynamicMemberLookup
public final class ObservedReactor<R: Reactor>: Observable {
  /// The reactor.
  public let reactor: R

  private let registrar = ObservationRegistrar()
  private let properties = ObservedProperties<R.State>()
  /// What the reactor has shown last.
  private var received: R.State
  /// What is shown here: `received`, and what was written here and is on its way.
  private var shown: R.State
  private var readers: [PartialKeyPath<R.State>: Reader] = [:]
  private var writes: [PartialKeyPath<R.State>: Write] = [:]
  private var lastWrite = 0
  /// How many actions are on their way that were written with, by property.
  private var unsettled: [PartialKeyPath<R.State>: Int] = [:]
  private var following: Task<Void, Never>?
  private var restarting: Task<Void, Never>?

  /// A reader has read a property and wants to know when it changes.
  private struct Reader {
    let isChange: (R.State, R.State) -> Bool
    let willSet: () -> Void
    let didSet: () -> Void
  }

  /// A value that was written here, and has been sent.
  private struct Write {
    let number: Int
    let apply: (inout R.State) -> Void
    let isSame: (R.State, R.State) -> Bool
    /// Whether the action has been performed, as far as it is at once.
    var isPerformed = false
    /// Whether an effect of the action may still bring the value.
    var isAwaited = false
    /// The state that the action left at once, while its effect is awaited.
    var baseline: R.State?
  }

  /// A mirror that begins with the reactor's current state.
  ///
  /// - Parameter reactor: The reactor.
  public convenience init(_ reactor: R) async {
    self.init(reactor, beginningWith: await reactor.currentState)
  }

  /// A mirror that begins with a given state until it has the reactor's own.
  ///
  /// - Parameters:
  ///   - reactor: The reactor.
  ///   - state: What to show first.
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

  /// The whole state; its readers are told of every change.
  public var state: R.State {
    track(\.self) { _, _ in true }
    return shown
  }

  /// A property of the state; its readers are told when it differs.
  ///
  /// - Parameter keyPath: The property.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<R.State, Value>) -> Value {
    track(keyPath) { $0[keyPath: keyPath] != $1[keyPath: keyPath] }
    return shown[keyPath: keyPath]
  }

  /// A property of the state that cannot be compared; its readers are told of every state.
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
  ///   - action: The action that makes it so.
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
  /// Where an effect brings the value, it is shown until that has happened.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - value: The value.
  ///   - action: The action that makes it so.
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
    // Sent first: a reader that is told may write, and what that sends comes after.
    let receipt = reactor.send(action(value))
    show()
    Task { [weak self] in
      await receipt.performed
      if receipt.hasOpenWork {
        self?.hasPerformed(number, of: keyPath, isAwaited: true)
        await receipt.settled
      }
      self?.hasSettled(number, of: keyPath)
    }
    return receipt
  }

  /// A property to read and to write, for a control.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - action: The action that makes it so.
  /// - Returns: The property.
  public func property<Value: Equatable>(
    _ keyPath: WritableKeyPath<R.State, Value>, sending action: @escaping (Value) -> R.Action
  ) -> ObservedProperty<Value> {
    ObservedProperty(
      get: { self[dynamicMember: keyPath] },
      set: { self.set(keyPath, to: $0, sending: action) })
  }

  private func hasSettled(_ number: Int, of path: PartialKeyPath<R.State>) {
    unsettled[path, default: 1] -= 1
    if unsettled[path] == 0 { unsettled[path] = nil }
    hasPerformed(number, of: path, isAwaited: false)
  }

  private func hasPerformed(_ number: Int, of path: PartialKeyPath<R.State>, isAwaited: Bool) {
    guard writes[path]?.number == number else { return }
    writes[path]?.isPerformed = true
    writes[path]?.isAwaited = isAwaited
    // What begins now begins with a state that has the action in it.
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
    // Something has changed the property since; it was not an older write that is still on its way.
    guard let baseline = write.baseline, unsettled[path] == 1 else { return false }
    return !write.isSame(baseline, state)
  }

  private func show() {
    let new = written(over: received)
    let changed = readers.filter { $0.value.isChange(shown, new) }
    // A reader that is told reads again, and is a reader again then.
    for path in changed.keys { readers[path] = nil }
    for reader in changed.values { reader.willSet() }
    // Not `new`: a reader that was told may have written something.
    shown = written(over: received)
    for reader in changed.values { reader.didSet() }
  }

  private func written(over state: R.State) -> R.State {
    var state = state
    for write in writes.values.sorted(by: { $0.number < $1.number }) { write.apply(&state) }
    return state
  }
}

/// A property of the state, to read and to write: what a two-way binding is made of.
@MainActor
public struct ObservedProperty<Value> {
  private let get: () -> Value
  private let set: (Value) -> Void

  init(get: @escaping () -> Value, set: @escaping (Value) -> Void) {
    self.get = get
    self.set = set
  }

  /// The value; written, it is shown at once and sent to the reactor.
  public var value: Value {
    get { get() }
    nonmutating set { set(newValue) }
  }
}

/// What the registrar knows the properties by: nobody reads them here.
private final class ObservedProperties<State>: Observable, Sendable {
  subscript<Value>(_ keyPath: KeyPath<State, Value>) -> Value? { nil }
}
