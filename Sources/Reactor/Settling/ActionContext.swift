/// What travels with an action from its sender to its work: what it is tracked by, and the
/// task-local values that its reactor's author has named.
///
/// It stands beside the action only where there is something of it; see ``InboxExtras``. From
/// there it goes with the action into its lane and through the hooks, and with a mutation through
/// its hook.
///
/// **The seam.** ``run(_:)`` and ``run(_:isolation:)`` are what `mutate` and every effect body with
/// a context run through. Whatever is to be around both, a span or a measurement, belongs there and
/// nowhere else: to be told of them is not enough to bind a task-local value.
@usableFromInline
struct ActionContext: Sendable {
  @usableFromInline let chain: ActionChain?
  @usableFromInline let values: CarriedValue?

  @inlinable
  init(chain: ActionChain?, values: CarriedValue?) {
    self.chain = chain
    self.values = values
  }

  /// Of nobody and with nothing.
  @inlinable static var none: ActionContext { ActionContext(chain: nil, values: nil) }

  var isNone: Bool { chain == nil && values == nil }

  /// The same with further values, which are bound inside those that are there.
  func with(_ values: CarriedValue?) -> ActionContext {
    guard let values else { return self }
    return ActionContext(chain: chain, values: self.values?.followed(by: values) ?? values)
  }

  /// Runs `mutate`, or something else of a turn.
  ///
  /// What is of no chain is so here as well, though it may run in the task of somebody who is of
  /// one.
  @inlinable
  func run(_ body: () -> Void) {
    if ActionChain.isAnyOpen { runInChain(body) } else { bind(body) }
  }

  @usableFromInline
  func runInChain(_ body: () -> Void) {
    ActionChain.$current.withValue(chain) { bind(body) }
  }

  @inlinable
  func bind(_ body: () -> Void) {
    if let values { values.bind(body) } else { body() }
  }

  /// Runs an effect's body, where it is isolated.
  @usableFromInline
  func run(
    _ body: () async throws -> Void, isolation: isolated (any Actor)?
  ) async throws {
    guard let chain else { return try await bind(body, isolation: isolation) }
    try await ActionChain.$current.withValue(
      chain, operation: { try await bind(body, isolation: isolation) }, isolation: isolation)
  }

  private func bind(
    _ body: () async throws -> Void, isolation: isolated (any Actor)?
  ) async throws {
    if let values {
      try await values.bind(isolation: isolation, body)
    } else {
      try await body()
    }
  }
}

/// The contexts of actions that have left the inbox and have yet to be performed, in the order of
/// the actions.
@usableFromInline
struct ActionContextQueue: Sendable {
  @usableFromInline var entries: [(number: UInt64, context: ActionContext)] = []
  @usableFromInline var head = 0

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { head == entries.count }

  @inlinable
  mutating func append(_ context: ActionContext, of number: UInt64) {
    entries.append((number, context))
  }

  /// The action's; those of actions before it, which were never performed, go.
  @inlinable
  mutating func take(_ number: UInt64) -> ActionContext? {
    // One that a hook has made has none, and comes before those that wait whatever its number.
    guard number < UnsentNumber.first else { return nil }
    forget(before: number)
    guard head < entries.count, entries[head].number == number else { return nil }
    defer { step() }
    return entries[head].context
  }

  /// The action's, which stays.
  @inlinable
  func look(at number: UInt64) -> ActionContext? {
    var (low, high) = (head, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].number < number { low = middle + 1 } else { high = middle }
    }
    return low < entries.count && entries[low].number == number ? entries[low].context : nil
  }

  @inlinable
  mutating func forget(before number: UInt64) {
    while head < entries.count, entries[head].number < number { step() }
  }

  @inlinable
  mutating func step() {
    entries[head].context = .none
    head += 1
    guard head == entries.count else {
      // With a limit it may never be empty.
      if head >= 512, head * 2 >= entries.count {
        entries.removeFirst(head)
        head = 0
      }
      return
    }
    entries.removeAll(keepingCapacity: entries.capacity <= 1024)
    head = 0
  }
}
