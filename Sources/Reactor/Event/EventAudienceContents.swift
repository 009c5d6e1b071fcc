/// What somebody who asks for an event gets.
enum EventAnswer<Event: Sendable>: Sendable {
  /// The event, and nodes to be released outside the lock.
  case event(Numbered<Event>, [EventNode<Event>])
  case wait
  case end
}

/// The plain value that decides which listener gets what: no lock, no task.
///
/// A listener that chooses, because it has a filter or keeps only so many, always waits, whether or
/// not somebody asks: so the filter is called when the event comes, and what it refuses is not
/// kept. Any other waits only while a task of its own does.
struct EventAudienceContents<Event: Sendable>: Sendable {
  typealias Place = EventPlace<Event>

  /// Empty; the next event is put into it.
  var end = EventNode<Event>()
  /// How many streams are open.
  var count = 0
  var isFinished: Bool
  /// Those to whom the next event has to be taken.
  private var waiting: [Place] = []
  /// How often `waiting` has been taken: an index into it holds for one round.
  private var round: UInt64 = 0

  init(_ isFinished: Bool) { self.isFinished = isFinished }

  // MARK: Coming, going, waiting

  mutating func open(_ number: UInt64, _ isIncluded: (@Sendable (Event) -> Bool)?) -> Place {
    let place = Place(number, from: end, isIncluded)
    count += 1
    if place.chooses, !isFinished { wait(place) }
    return place
  }

  /// Puts somebody among those to whom the next event has to be taken.
  mutating func wait(_ place: Place) {
    place.contents.delivery = .waiting(index: waiting.count, round: round)
    waiting.append(place)
  }

  /// Takes somebody out again; if it is on a list already, whoever has that finds nothing to do.
  mutating func stopWaiting(_ place: Place) {
    guard case .waiting(let index, round) = place.contents.delivery else { return }
    place.contents.delivery = .none
    let last = waiting.removeLast()
    guard last !== place else { return }
    waiting[index] = last
    last.contents.delivery = .waiting(index: index, round: round)
  }

  /// Takes a place out again that neither chooses nor has a task that waits.
  mutating func stopWaitingUnlessAsked(_ place: Place) {
    if place.contents.waiters.isEmpty, !place.chooses { stopWaiting(place) }
  }

  /// Those who wait, for somebody who will go to each of them.
  mutating func takeWaiting() -> [Place] {
    round += 1
    defer { waiting = [] }
    return waiting
  }

  // MARK: Deciding

  /// What there is for a task that asks, and that is not behind another.
  func look(_ place: Place) -> EventAnswer<Event> {
    guard place.contents.waiters.isEmpty else { return .wait }
    if let event = place.contents.chosen.popFirst() { return .event(event, []) }
    var nodes: [EventNode<Event>] = []
    // What has yet to be chosen is, by somebody else.
    while !place.chooses, let (node, event) = place.advance() {
      nodes.append(node)
      if let event { return .event(event, nodes) }
    }
    if isFinished, case .none = place.contents.delivery { return .end }
    return .wait
  }

  /// What to do for a listener, for the one who goes there with an event.
  enum Step: Sendable {
    /// Nothing more.
    case rest
    /// The event is not for it.
    case skip(EventNode<Event>)
    case give(Numbered<Event>, to: Place.Consumer, releasing: EventNode<Event>)
    /// Ask its filter first.
    case choose(Numbered<Event>, releasing: EventNode<Event>)
    case end([Place.Consumer])
  }

  mutating func step(_ place: Place) -> Step {
    if place.chooses || !place.contents.waiters.isEmpty,
      let (node, event) = place.advance()
    {
      guard let event else { return .skip(node) }
      guard !place.chooses, let waiter = place.contents.waiters.popFirst() else {
        return .choose(event, releasing: node)
      }
      return .give(event, to: waiter.consumer, releasing: node)
    }
    place.contents.delivery = .none
    if isFinished {
      defer { place.contents.waiters = IdentityList() }
      return .end(place.contents.waiters.all.map(\.consumer))
    }
    let isOpen = place.contents.next != nil
    if isOpen, place.chooses || !place.contents.waiters.isEmpty { wait(place) }
    return .rest
  }
}
