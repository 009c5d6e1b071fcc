public import Observation
public import Reactor

/// Mirrors a part of a reactor's state on the main actor, for a view that uses that part only.
///
/// ```swift
/// let todos = await ObservedScope(app.scope(\.todos) { .todos($0) })
/// todos.titles                // tracked
/// todos.send(.add("milk"))    // sends `.todos(.add("milk"))` to the reactor
/// ```
///
/// It behaves as an ``ObservedReactor``, which is the mirror of a whole reactor. An observer of a
/// property is notified when the property of the part differs; other parts do not matter.
@MainActor @dynamicMemberLookup
public class ObservedScope<R: Reactor, Action: Sendable, State: Sendable>: Observable {
  /// The reactor, or the reactor that the part is of.
  public let reactor: R

  private let source: ReactorScope<R, Action, State>
  private let registrar = ObservationRegistrar()
  private let properties = ObservedProperties<State>()
  /// The last state received from the reactor.
  private var received: State
  /// The state that is shown: `received`, with the values written here whose actions are pending.
  private var shown: State
  private var readers: [PartialKeyPath<State>: Reader] = [:]
  private var writes: [PartialKeyPath<State>: Write] = [:]
  private var lastWrite = 0
  /// The number of pending actions that wrote each property.
  private var unsettled: [PartialKeyPath<State>: Int] = [:]
  private var following: Task<Void, Never>?
  private var restarting: Task<Void, Never>?

  /// An observer that has read a property and is to be notified of its next change.
  private struct Reader {
    let isChange: (State, State) -> Bool
    let willSet: () -> Void
    let didSet: () -> Void
  }

  /// A value that was written here and sent.
  private struct Write {
    let number: Int
    let apply: (inout State) -> Void
    let isSame: (State, State) -> Bool
    /// Whether the action has been performed, except for its effects.
    var isPerformed = false
    /// Whether an effect of the action may still set the value.
    var isAwaited = false
    /// The state after the action's immediate changes, while its effect is awaited.
    var baseline: State?
  }

  /// Creates a mirror of a part that begins with the part's current state.
  ///
  /// - Parameter scope: The part of the reactor.
  public convenience init(_ scope: ReactorScope<R, Action, State>) async {
    self.init(scope, beginningWith: await scope.currentState)
  }

  /// Creates a mirror of a part that shows a given state until it has received the part's own.
  ///
  /// - Parameters:
  ///   - scope: The part of the reactor.
  ///   - state: The state to show first.
  public init(_ scope: ReactorScope<R, Action, State>, beginningWith state: State) {
    source = scope
    reactor = scope.reactor
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
  public var state: State {
    track(\.self) { _, _ in true }
    return shown
  }

  /// A property of the state; its observers are notified when its value differs.
  ///
  /// - Parameter keyPath: The property.
  public subscript<Value: Equatable>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    track(keyPath) { $0[keyPath: keyPath] != $1[keyPath: keyPath] }
    return shown[keyPath: keyPath]
  }

  /// A property of the state that is not `Equatable`; its observers are notified of every state.
  ///
  /// - Parameter keyPath: The property.
  public subscript<Value>(dynamicMember keyPath: KeyPath<State, Value>) -> Value {
    track(keyPath) { _, _ in true }
    return shown[keyPath: keyPath]
  }

  private func track<Value>(
    _ keyPath: KeyPath<State, Value>, isChange: @escaping (State, State) -> Bool
  ) {
    let (registrar, properties) = (registrar, properties)
    registrar.access(properties, keyPath: \ObservedProperties<State>.[keyPath])
    guard readers[keyPath] == nil else { return }
    readers[keyPath] = Reader(
      isChange: isChange,
      willSet: {
        registrar.willSet(properties, keyPath: \ObservedProperties<State>.[keyPath])
      },
      didSet: { registrar.didSet(properties, keyPath: \ObservedProperties<State>.[keyPath]) })
  }

  // MARK: Writing

  /// Sends an action to the reactor.
  ///
  /// - Parameter action: The action.
  /// - Returns: Its receipt.
  @discardableResult
  public func send(_ action: Action) -> ActionReceipt<R> { source.send(action) }

  /// Writes a value that is shown at once, and sends it to the reactor.
  ///
  /// - Parameters:
  ///   - keyPath: The property.
  ///   - value: The value.
  ///   - action: Creates the action that sets the value in the reactor.
  /// - Returns: The action's receipt.
  @discardableResult
  public func set<Value>(
    _ keyPath: WritableKeyPath<State, Value>, to value: Value,
    sending action: (Value) -> Action
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
    _ keyPath: WritableKeyPath<State, Value>, to value: Value,
    sending action: (Value) -> Action
  ) -> ActionReceipt<R> {
    write(keyPath, value, action) { $0[keyPath: keyPath] == $1[keyPath: keyPath] }
  }

  private func write<Value>(
    _ keyPath: WritableKeyPath<State, Value>, _ value: Value, _ action: (Value) -> Action,
    isSame: @escaping (State, State) -> Bool
  ) -> ActionReceipt<R> {
    lastWrite += 1
    let number = lastWrite
    writes[keyPath] = Write(
      number: number, apply: { $0[keyPath: keyPath] = value }, isSame: isSame)
    unsettled[keyPath, default: 0] += 1
    // Sent first: an observer that is notified may write, and what that sends comes after.
    let receipt = source.send(action(value))
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
    _ keyPath: WritableKeyPath<State, Value>, sending action: @escaping (Value) -> Action
  ) -> ObservedProperty<Value> {
    ObservedProperty(
      get: { self[dynamicMember: keyPath] },
      set: { self.set(keyPath, to: $0, sending: action) })
  }

  private func didSettle(_ number: Int, of path: PartialKeyPath<State>) {
    unsettled[path, default: 1] -= 1
    if unsettled[path] == 0 { unsettled[path] = nil }
    didPerform(number, of: path, isAwaited: false)
  }

  private func didPerform(_ number: Int, of path: PartialKeyPath<State>, isAwaited: Bool) {
    guard writes[path]?.number == number else { return }
    writes[path]?.isPerformed = true
    writes[path]?.isAwaited = isAwaited
    // A subscription that begins now begins with a state that includes the action.
    follow()
  }

  // MARK: Parts

  /// Makes a mirror of a part of what this one mirrors, for a view that uses that part only.
  ///
  /// It begins with what this mirror shows. It is a mirror of its own: a value that is written to
  /// one of the two is shown by the other once the reactor has it. Keep it as long as the view.
  ///
  /// - Parameters:
  ///   - part: A key path, or a function of the state.
  ///   - action: Converts an action of the part to an action of this mirror.
  /// - Returns: The mirror.
  public func scope<PartAction: Sendable, Part: Sendable>(
    _ part: @escaping @Sendable (State) -> Part,
    action: @escaping @Sendable (PartAction) -> Action
  ) -> ObservedScope<R, PartAction, Part> {
    ObservedScope<R, PartAction, Part>(
      source.scope(part, action: action), beginningWith: part(shown))
  }

  // MARK: Following

  private func follow() {
    following?.cancel()
    let performed = writes.values.filter(\.isPerformed).map(\.number)
    following = Task { [weak self, source, states = reactor.state.buffering(.newest)] in
      for await state in states {
        guard !Task.isCancelled else { return }
        self?.receive(source.part(of: state), performed: performed)
      }
    }
  }

  private func receive(_ state: State, performed: [Int]) {
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
    _ write: Write, at path: PartialKeyPath<State>, with state: State
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

  private func written(over state: State) -> State {
    var state = state
    for write in writes.values.sorted(by: { $0.number < $1.number }) { write.apply(&state) }
    return state
  }
}

/// The key paths by which the registrar identifies the properties; they are never read.
private final class ObservedProperties<State>: Observable, Sendable {
  subscript<Value>(_ keyPath: KeyPath<State, Value>) -> Value? { nil }
}
