/// The actions that a reactor takes, from the moment the stream was opened.
///
/// ```swift
/// .run { emit in
///   let answers = self.actions { $0 == .confirm || $0 == .dismiss }  // opened: nothing slips past
///   await emit(.ask)
///   guard await answers.next(within: .seconds(30), clock: self.clock) == .confirm else { return }
///   …
/// }
/// ```
///
/// **Order**: as taken, each told once its turn is over, so that what it emitted at once is in the
/// state. What nobody has asked for yet is kept, without a limit. Several tasks may ask: each action
/// goes to one of them, first come first served.
///
/// **Ends** when the reactor does, which it does not prevent. A stream that nobody holds is closed.
///
/// redux-saga's `take` and `actionChannel` in one; opened before it is awaited, it loses nothing.
public struct ActionStream<Action: Sendable>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = Action
  /// Nothing goes wrong here.
  public typealias Failure = Never

  let channel: ActionChannel<Action>

  /// Waits for the next action that has not been handed out.
  ///
  /// - Returns: The action; `nil` once the reactor has ended, or when the task is cancelled.
  public func next() async -> Action? { await channel.next() }

  /// Waits for the next action, but not for ever.
  ///
  /// - Parameters:
  ///   - duration: How long to wait.
  ///   - clock: What measures that.
  /// - Returns: The action; `nil` once the time is up or the reactor has ended, or when the task is
  ///   cancelled. An action that comes too late for this call is there for the next one.
  public func next(within duration: Duration, clock: any Clock<Duration>) async -> Action? {
    let channel = channel
    return await withTaskGroup(of: Action?.self) { group in
      group.addImmediateTask { await channel.next() }
      group.addImmediateTask {
        try? await clock.sleep(for: duration)
        return nil
      }
      // Whichever comes first ends the other; one that was being handed over meanwhile is not lost.
      var action: Action?
      for await found in group {
        group.cancelAll()
        if let found { action = found }
      }
      return action
    }
  }

  /// Begins to iterate; all iterators share the stream.
  ///
  /// - Returns: An iterator.
  public func makeAsyncIterator() -> Iterator { Iterator(channel: channel) }

  /// Hands out the actions.
  public struct Iterator: AsyncIteratorProtocol {
    let channel: ActionChannel<Action>

    /// Waits for the next action.
    ///
    /// - Returns: The action; `nil` once the reactor has ended, or when the task is cancelled.
    public mutating func next() async -> Action? { await channel.next() }

    /// Waits for the next action.
    ///
    /// - Parameter actor: Where the caller runs.
    /// - Returns: The action; `nil` once the reactor has ended, or when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Action? {
      await channel.next()
    }
  }
}

/// What an ``ActionStream`` reads from: actions that wait for tasks, or tasks that wait for actions.
///
/// Holds: `contents`, guarded by its own lock; continuations are resumed outside it.
final class ActionChannel<Action: Sendable>: Sendable {
  private struct Contents: Sendable {
    var waiting: [Action] = []
    var head = 0
    var consumers: [(id: Int, continuation: CheckedContinuation<Action?, Never>)] = []
    var nextID = 0
    var isFinished = false

    mutating func popFirst() -> Action? {
      guard head < waiting.count else { return nil }
      defer {
        head += 1
        if head == waiting.count || head >= 512 {
          waiting.removeFirst(head)
          head = 0
        }
      }
      return waiting[head]
    }
  }

  private let contents = Guarded(Contents())
  private let isIncluded: @Sendable (Action) -> Bool

  init(_ isIncluded: @escaping @Sendable (Action) -> Bool) { self.isIncluded = isIncluded }

  /// Offers an action.
  func tell(_ action: Action) {
    guard isIncluded(action) else { return }
    let consumer = contents.withLock { contents -> CheckedContinuation<Action?, Never>? in
      guard !contents.isFinished else { return nil }
      guard contents.consumers.isEmpty else { return contents.consumers.removeFirst().continuation }
      contents.waiting.append(action)
      return nil
    }
    consumer?.resume(returning: action)
  }

  /// Nothing more will come; what waits can still be asked for.
  func finish() {
    let consumers = contents.withLock { contents in
      contents.isFinished = true
      defer { contents.consumers = [] }
      return contents.consumers
    }
    for consumer in consumers { consumer.continuation.resume(returning: nil) }
  }

  func next() async -> Action? {
    let id = contents.withLock { contents in
      contents.nextID += 1
      return contents.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let found = contents.withLock { contents -> Action?? in
          if Task.isCancelled { return .some(nil) }
          if let action = contents.popFirst() { return action }
          if contents.isFinished { return .some(nil) }
          contents.consumers.append((id, continuation))
          return nil
        }
        if let found { continuation.resume(returning: found) }
      }
    } onCancel: {
      let consumer = contents.withLock { contents -> CheckedContinuation<Action?, Never>? in
        let place = contents.consumers.firstIndex { $0.id == id }
        return place.map { contents.consumers.remove(at: $0).continuation }
      }
      consumer?.resume(returning: nil)
    }
  }
}
