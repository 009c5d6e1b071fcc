/// Sends events to all open streams, for example from a service to every screen.
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
/// A stream has every event from the moment it was opened. A screen that first opens a stream, and
/// then reads all data, therefore misses nothing. `transform(mutation:)` is a place to open it,
/// since it runs before the first action.
///
/// **Runs on** any thread.
///
/// **Order**: events sent one after another are received in that order. All streams have all events
/// in the same order.
///
/// **Memory**: an event is kept until the slowest stream has read it.
///
/// There may be a hundred thousand streams: to open or close one takes as long as with a single
/// stream. `send` itself resumes at most 64 waiting streams; if there are more, a task resumes
/// them.
public final class EventBroadcaster<Event: Sendable>: Sendable {
  private let broadcast = Broadcast<Event>(hasValues: false)

  /// Creates a broadcaster without streams.
  public init() {}

  deinit { finish() }

  /// Sends an event to every open stream; returns at once.
  ///
  /// - Parameter event: The event.
  public func send(_ event: Event) { broadcast.publish(event) }

  /// Opens a stream of the events sent from now on.
  ///
  /// - Parameter isIncluded: Returns whether the stream has an event; by default all. Called once
  ///   for each event, in order, by the sender or by a task, so it should be quick and must not
  ///   send. An event that is not included is not kept.
  /// - Returns: The stream.
  public func stream(
    where isIncluded: (@Sendable (Event) -> Bool)? = nil
  ) -> EventStream<Event> {
    EventStream(broadcast, where: isIncluded)
  }

  /// Ends every stream, after its pending events; nothing can be sent any more.
  public func finish() { broadcast.finish() }
}
