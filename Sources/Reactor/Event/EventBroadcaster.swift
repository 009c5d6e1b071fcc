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
  private let broadcast = Broadcast<Event>(hasValues: false)

  /// A broadcaster without listeners.
  public init() {}

  deinit { finish() }

  /// Sends an event to every stream that is open; returns at once.
  ///
  /// - Parameter event: The event.
  public func send(_ event: Event) { broadcast.publish(event) }

  /// Opens a stream of the events sent from now on.
  ///
  /// - Parameter isIncluded: Which events it has, by default all. Called once for each event, in
  ///   order, by whoever sends or by a task, so it should be quick and must not send; an event that
  ///   it refuses is not kept.
  /// - Returns: The stream.
  public func stream(
    where isIncluded: (@Sendable (Event) -> Bool)? = nil
  ) -> EventStream<Event> {
    EventStream(broadcast, where: isIncluded)
  }

  /// Ends every stream, after what it holds; nothing can be sent any more.
  public func finish() { broadcast.finish() }
}
