/// Who listens to the same events, and the events that they have yet to see.
///
/// The events stand in one list, and each listener has a place in it. So telling is to append an
/// event and to go to those who wait; opening or closing a stream looks at no other.
///
/// Holds: `contents`, and the places and nodes it leads to, guarded by its own lock; continuations
/// are resumed, filters called and events released outside it.
@usableFromInline
final class EventAudience<Event: Sendable>: Sendable {
  typealias Place = EventPlace<Event>

  private let contents: Guarded<EventAudienceContents<Event>>

  init(isFinished: Bool = false) { contents = Guarded(EventAudienceContents(isFinished)) }

  var isEmpty: Bool { contents.withLock { $0.count == 0 } }

  // MARK: Whoever tells

  /// - Parameters:
  ///   - event: The event.
  ///   - latest: The stream that was opened last before the event; later ones are not told.
  func tell(_ event: Event, toStreamsUpTo latest: UInt64 = .max) {
    deliver(
      contents.withLock { contents in
        guard contents.count > 0, !contents.isFinished else { return [] }
        contents.end = contents.end.fill(event, toStreamsUpTo: latest)
        return contents.takeWaiting()
      })
  }

  /// Nothing more will come; what is there can still be asked for.
  func finish() {
    deliver(
      contents.withLock { contents in
        contents.isFinished = true
        return contents.takeWaiting()
      })
  }

  /// How many listeners whoever tells an event goes to; with more of them, a task does.
  private static var most: Int { 64 }

  /// How many steps whoever tells an event goes for all of them.
  private static var steps: Int { 1024 }

  /// How many a task goes before it makes way: where many tasks want the threads, it waits long for
  /// its next turn.
  private static var stepsOfTask: Int { 16 * 1024 }

  /// Goes to each listener: here, or in a task.
  ///
  /// It gets what there is by then, in order. So it does not matter to it when that is, nor whether
  /// more has been told meanwhile.
  private func deliver(_ places: [Place]) {
    guard places.count <= Self.most else { return leave(places[...]) }
    var steps = Self.steps
    for (index, place) in places.enumerated() {
      // Others may tell more than this one can keep up with.
      guard deliver(to: place, within: &steps) else { return leave(places[index...]) }
    }
  }

  private func leave(_ places: ArraySlice<Place>) {
    PipelineTasks.detached {
      var steps = Self.stepsOfTask
      for place in places {
        while !self.deliver(to: place, within: &steps) {
          // Others have work for the thread, too.
          await Task.yield()
          steps = Self.stepsOfTask
        }
      }
    }
  }

  /// - Returns: Whether there is nothing more for it; false if the steps did not suffice.
  private func deliver(to place: Place, within steps: inout Int) -> Bool {
    while steps > 0 {
      steps -= 1
      switch contents.withLock({ $0.step(place) }) {
      case .rest: return true
      case .skip(let node): withExtendedLifetime(node) {}
      case .end(let consumers):
        for consumer in consumers { consumer.resume(returning: nil) }
        return true
      case .give(let event, let consumer, let node):
        consumer.resume(returning: event)
        withExtendedLifetime(node) {}
      case .choose(let event, let node):
        guard place.isIncluded?(event.element) != false else { continue }
        let (consumer, lost) = contents.withLock { _ in place.keep(event) }
        consumer?.resume(returning: event)
        withExtendedLifetime((node, lost)) {}
      }
    }
    return false
  }

  // MARK: Those who listen

  func open(
    _ number: UInt64, _ isIncluded: (@Sendable (Event) -> Bool)?
  ) -> EventPlace<Event> {
    contents.withLock { $0.open(number, isIncluded) }
  }

  /// Has a stream keep only so many events from here on, of those that it has yet to see.
  func limit(_ place: Place, to buffering: EventBuffering) {
    let (places, lost) = contents.withLock { contents in
      let lost = place.limit(to: buffering)
      if place.chooses, !contents.isFinished || place.contents.next?.next != nil,
        case .none = place.contents.delivery
      {
        contents.wait(place)
      }
      return (contents.takeWaiting(), lost)
    }
    withExtendedLifetime(lost) {}
    deliver(places)
  }

  /// How many events a stream has lost.
  func lost(at place: Place) -> Int { contents.withLock { _ in place.contents.lost } }

  /// Nobody holds the stream any longer.
  ///
  /// - Returns: Whether it was the last one.
  func leave(_ place: Place) -> Bool {
    let (released, isLast) = contents.withLock { contents in
      contents.count -= 1
      contents.stopWaiting(place)
      defer { place.contents.chosen = FIFO() }
      return ((place.contents.next.take(), place.contents.chosen), contents.count == 0)
    }
    withExtendedLifetime(released) {}
    return isLast
  }

  /// What there is for somebody who asks, and what to cancel by if that is to wait.
  func take(_ place: Place) -> (found: EventAnswer<Event>, id: UInt64) {
    contents.withLock { contents in
      place.contents.lastID += 1
      return (contents.look(place), place.contents.lastID)
    }
  }

  func wait(_ consumer: Place.Consumer, at place: Place, id: UInt64) {
    let found = contents.withLock { contents -> EventAnswer<Event> in
      // Before it is cancelled, or after it has come: whoever cancels looks for it here.
      if Task.isCancelled { return .end }
      let found = contents.look(place)
      guard case .wait = found else { return found }
      place.contents.waiters.append(Place.Waiter(id: id, consumer: consumer))
      if case .none = place.contents.delivery { contents.wait(place) }
      return .wait
    }
    switch found {
    case .wait: break
    case .end: consumer.resume(returning: nil)
    case .event(let event, let nodes):
      consumer.resume(returning: event)
      withExtendedLifetime(nodes) {}
    }
  }

  /// Puts an event back that was taken and not used.
  func putBack(_ event: Numbered<Event>, at place: Place) {
    let (consumer, lost) = contents.withLock { contents in
      let found = place.putBack(event)
      contents.stopWaitingUnlessAsked(place)
      return found
    }
    consumer?.resume(returning: event)
    withExtendedLifetime(lost) {}
  }

  func cancel(_ id: UInt64, at place: Place) {
    let consumer = contents.withLock { contents -> Place.Consumer? in
      guard let waiter = place.contents.waiters.remove(id) else { return nil }
      contents.stopWaitingUnlessAsked(place)
      return waiter.consumer
    }
    consumer?.resume(returning: nil)
  }
}
