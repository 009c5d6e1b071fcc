/// One event, and the way to the one after it.
///
/// The nodes are kept alive by the listeners that have yet to see them, and by nothing else: an
/// event lives as long as the slowest of those. The last node is empty, so that nobody keeps what
/// it has seen.
///
/// `@unchecked`. Guard of `filled`: the lock of the audience; once it is there, nothing changes any
/// more but in `deinit`, where nobody else is left.
final class EventNode<Event: Sendable>: @unchecked Sendable {
  /// What stands in a node that is not the last one.
  private struct Filled: Sendable {
    let event: Event
    /// The number of the stream that was opened last before the event; later ones do not have it.
    let latest: UInt64
    var next: EventNode?
  }

  /// `nil` in the last node.
  private var filled: Filled?

  var event: Event? { filled?.event }
  var latest: UInt64 { filled?.latest ?? 0 }
  var next: EventNode? { filled?.next }

  /// Puts an event here, and an empty node behind it, which is returned.
  func fill(_ event: Event, toStreamsUpTo latest: UInt64) -> EventNode {
    let end = EventNode()
    filled = Filled(event: event, latest: latest, next: end)
    return end
  }

  /// Releases a long chain one node at a time: the default would recurse once per node.
  deinit {
    var link = filled?.next
    filled = nil
    while isKnownUniquelyReferenced(&link), let node = link {
      link = node.filled?.next
      node.filled?.next = nil
    }
  }
}

/// Where one listener stands, and which of its tasks wait.
///
/// `@unchecked`. Guard of `contents`: the lock of the audience it belongs to.
final class EventPlace<Event: Sendable>: @unchecked Sendable {
  typealias Consumer = CheckedContinuation<Numbered<Event>?, Never>

  /// A task that waits for an event.
  struct Waiter: Identifiable, Sendable {
    let id: UInt64
    let consumer: Consumer
  }

  /// Whether the next event has to be taken to it.
  enum Delivery: Sendable {
    /// No: its tasks look themselves.
    case none
    /// Yes: it is among those who wait or, in a later round, on the list of whoever goes to them
    /// now.
    case waiting(index: Int, round: UInt64)
  }

  /// The number of its stream.
  let number: UInt64
  /// Which events it has; all of them, if there is no such function.
  let isIncluded: (@Sendable (Event) -> Bool)?

  /// What changes as events come and tasks wait.
  struct Contents: Sendable {
    /// The first node that it has not seen; `nil` once nobody holds the stream any longer.
    var next: EventNode<Event>?
    /// How many nodes it has gone past.
    var passed: UInt64 = 0
    var delivery = Delivery.none
    /// Events that were chosen or put back, in order, and have yet to be asked for.
    var chosen = FIFO<Numbered<Event>>()
    var waiters = IdentityList<Waiter>()
    var lastID: UInt64 = 0
    var buffering = EventBuffering.unlimited
    /// Whether there has ever been a limit.
    ///
    /// From then on somebody may be on its way here with an event that it has chosen, and no task
    /// may go past it.
    var wasLimited = false
    /// How many events were lost because nobody asked for them in time.
    var lost = 0
  }

  /// Whether each event is looked at as it comes, rather than when it is asked for.
  var chooses: Bool { isIncluded != nil || contents.wasLimited }

  var contents: Contents

  init(_ number: UInt64, from next: EventNode<Event>, _ isIncluded: (@Sendable (Event) -> Bool)?) {
    self.number = number
    contents = Contents(next: next)
    self.isIncluded = isIncluded
  }

  /// Moves on, if there is a node that it has not seen.
  ///
  /// - Returns: The node, to be released outside the lock; its event is `nil` if it is not for this
  ///   one.
  func advance() -> (node: EventNode<Event>, event: Numbered<Event>?)? {
    guard let node = contents.next, let following = node.next else { return nil }
    contents.next = following
    contents.passed += 1
    guard number <= node.latest, let event = node.event else { return (node, nil) }
    return (node, Numbered(contents.passed, event))
  }

  /// Keeps only so many from here on, also of those that wait.
  ///
  /// - Returns: The events that are lost, to be released outside the lock.
  func limit(to buffering: EventBuffering) -> [Numbered<Event>] {
    contents.buffering = buffering
    let lost: [Numbered<Event>]
    switch buffering {
    case .unlimited: return []
    case .first(let most): lost = contents.chosen.removeLast(contents.chosen.count - most)
    case .last(let most): lost = contents.chosen.removeFirst(contents.chosen.count - most)
    }
    contents.wasLimited = true
    contents.lost += lost.count
    return lost
  }

  /// Puts an event that was taken before those that came after it, unless a task waits for one.
  ///
  /// It counts as if it had never been taken, so a stream with a limit may lose one for it.
  ///
  /// - Returns: That task; and the events that are lost, to be released outside the lock.
  func putBack(_ event: Numbered<Event>) -> (consumer: Consumer?, lost: [Numbered<Event>]) {
    if let waiter = contents.waiters.popFirst() { return (waiter.consumer, []) }
    contents.chosen.putBack(event)
    return (nil, limit(to: contents.buffering))
  }

  /// Keeps an event that was chosen, unless a task waits for it, or there is no room.
  ///
  /// - Returns: That task; and the event that is lost, to be released outside the lock.
  func keep(_ event: Numbered<Event>) -> (consumer: Consumer?, lost: Numbered<Event>?) {
    guard contents.next != nil else { return (nil, nil) }
    if let waiter = contents.waiters.popFirst() { return (waiter.consumer, nil) }
    switch contents.buffering {
    case .first(let most) where contents.chosen.count >= most:
      contents.lost += 1
      return (nil, event)
    case .last(let most) where contents.chosen.count >= most:
      contents.lost += 1
      let oldest = contents.chosen.popFirst()
      contents.chosen.append(event)
      return (nil, oldest)
    case .unlimited, .first, .last:
      contents.chosen.append(event)
      return (nil, nil)
    }
  }
}
