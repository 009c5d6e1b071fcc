/// Sends events to everybody who listens: how a service tells every open screen what has changed.
///
/// ```swift
/// final class TaskService: Sendable {
///   let events = EventBroadcaster<TaskEvent>()
///   func delete(_ id: Int) { …; events.send(.deleted(id)) }
/// }
///
/// func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
///   mutation.merging(service.events.stream().map { .apply($0) })
/// }
/// ```
///
/// A stream has everything from the moment it was opened, so a screen that opens it first and reads
/// the whole afterwards misses nothing: in `transform(mutation:)`, which runs before the first
/// action.
///
/// **Runs on** any thread. **Order**: events sent one after the other arrive so, and all of them in
/// the same order at everybody. **Memory**: an event is kept until the slowest listener has asked
/// for it.
///
/// There may be a hundred thousand listeners: opening or closing a stream takes as long as with
/// one, and whoever sends wakes at most 64 listeners; more of them are left to a task.
public final class EventBroadcaster<Event: Sendable>: Sendable {
  /// Guard: its own lock; events are told outside it.
  private let state = Guarded((listeners: EventListeners<Event>(), isFinished: false))

  /// A broadcaster without listeners.
  public init() {}

  deinit { finish() }

  /// Sends an event to every stream that is open; returns at once.
  ///
  /// - Parameter event: The event.
  public func send(_ event: Event) { state.withLock { $0.listeners.audience }?.tell(event) }

  /// Opens a stream of the events sent from now on.
  ///
  /// - Parameter isIncluded: Which events it has, by default all. Called once for each event, in
  ///   order, by whoever sends or by a task, so it should be quick and must not send; an event that
  ///   it refuses is not kept.
  /// - Returns: The stream.
  public func stream(
    where isIncluded: (@Sendable (Event) -> Bool)? = nil
  ) -> EventStream<Event> {
    let channel = state.withLock {
      $0.listeners.open(EventNumbers.next(), isIncluded, isFinished: $0.isFinished)
    }
    return EventStream(channel: channel)
  }

  /// Ends every stream, after what it holds; nothing can be sent any more.
  public func finish() {
    let audience = state.withLock { state in
      state.isFinished = true
      return state.listeners.finish()
    }
    audience?.finish()
  }
}
