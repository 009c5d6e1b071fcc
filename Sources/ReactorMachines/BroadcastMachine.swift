/// A broadcast: decides which subscriber gets which element, and which elements have to be kept.
///
/// Elements are numbered by their position in one list. A subscriber reads the list from its own
/// position. In addition, elements can be *buffered* for it: elements that were chosen for it, or
/// that were put back. These are older than the rest of the list that it has yet to read, so it
/// gets them first. Several readers may share a subscriber; each element is delivered to one of
/// them.
///
/// ```
///              next finds nothing                  publish
///   reading ───────────────────────▶ waiting ───────────────────▶ reading
///      │  the same, finished            │ finish, cancel
///      └────────────▶ (end) ◀───────────┘
/// ```
///
/// | event | returns |
/// |---|---|
/// | `publish`, `offerAgain` | the subscribers that get, filter or buffer the newest element |
/// | `next` | a position, the first that is buffered, wait, ask the source, or the end |
/// | `examine` | the next element for the filter of a subscriber |
/// | `claim` | whether a reader gets an element that was chosen, or that was put back |
/// | `finish` | the subscribers whose readers are to be resumed with the end |
///
/// A subscriber of *events* gets the events that are published after it subscribed. A subscriber of
/// *values* first gets the newest value. If that is not kept, the subscriber counts as new and asks
/// the source, which offers the value again. No subscriber needs an element before
/// ``firstRetained``, and the shell drops those. A subscriber of every element keeps all that it
/// has not read yet. A subscriber with a limit keeps at most that number, buffered. A subscriber of
/// the newest element keeps nothing.
@usableFromInline
package struct BroadcastMachine: Sendable, Hashable {
  /// Which elements a subscriber gets if it does not read them in time.
  package enum Policy: Sendable, Hashable {
    case every
    /// The newest element at the moment of reading, if the subscriber has not read it.
    case newest
    /// The newest elements, up to this number.
    case last(Int)
    /// The oldest elements, up to this number.
    case first(Int)

    var limit: Int {
      switch self {
      case .every, .newest: .max
      // With a limit of 0, a reader that comes later would never get an element.
      case .last(let count), .first(let count): max(1, count)
      }
    }
  }

  private enum Presence: Sendable, Hashable { case subscribed, unsubscribed, released }

  /// Whether a subscriber has to ask the source, or has asked it.
  private enum SourceRequest: Sendable, Hashable {
    /// The subscriber has to ask before it gets its first element.
    case needed
    /// The subscriber has asked, for an element that it has not got since.
    case pending
    case none
  }

  private struct Subscriber: Sendable, Hashable {
    var policy: Policy
    let number: UInt64
    /// Whether the shell has a filter for the subscriber's elements.
    let isFiltered: Bool
    /// The position after the last one that it has read or filtered.
    var next: UInt64
    /// Whether elements are chosen for it as they are published, so that it does not read the list.
    var selectsOnPublish: Bool
    var bufferedCount = 0
    /// How many readers wait.
    ///
    /// While any waits, there is no element for the subscriber.
    var readers = 0
    /// How many elements were dropped because of its limit, and how many of them before it got its
    /// last element.
    var lost = 0
    var lostBefore = 0
    /// Whether it has yet to get the newest element as its first.
    var isNew: Bool
    var sourceRequest: SourceRequest
    /// Whether the shell is now examining elements for it.
    var isExamined = false
    var presence = Presence.subscribed
    /// Its index in ``newSlots`` while it is new, and in ``activeSlots`` otherwise.
    var activeIndex: Int?
  }

  private struct Place: Sendable, Hashable {
    /// How many subscribers continue reading from here.
    var readers = 0
    /// The number of the last subscriber that gets the element.
    var upTo = UInt64.max
  }

  /// How many elements have been published, which is the position of the next.
  @usableFromInline package private(set) var end: UInt64 = 0
  /// The lowest position that is still needed.
  @usableFromInline package private(set) var firstRetained: UInt64 = 0
  @usableFromInline package private(set) var isFinished = false
  /// Whether this machine, not the source, keeps the newest element for later subscribers.
  package var keepsNewest = false { didSet { drop() } }
  /// Whether every element is needed by something other than the subscribers.
  package var isNeededOutside = false
  private let hasValues: Bool
  private var subscribers: [Subscriber] = []
  private var free: [Int] = []
  /// How many subscribers there are, and how many of them do not use the policy `newest`.
  package private(set) var count = 0
  private var retainingCount = 0
  /// How many subscribers with the policy `newest` wait for the source, or for an element.
  private var requesterCount = 0
  /// How many subscribers with another policy than `newest` are new.
  private var newSubscribers = 0
  /// The subscribers that receive the next element because they are new.
  private var newSlots: [Int] = []
  /// The subscribers that receive the next element because they wait or select on publication.
  private var activeSlots: [Int] = []
  /// The places from ``base`` up to the place of the next element.
  private var places = [Place()]
  private var base: UInt64 = 0

  /// - Parameter hasValues: Whether a subscriber begins with the newest element.
  package init(hasValues: Bool) { self.hasValues = hasValues }

  package var isUnneeded: Bool { count == 0 && !keepsNewest && !isNeededOutside }
  /// Whether a subscriber, or something outside, needs an element that is published now.
  @usableFromInline package var hasDemand: Bool {
    retainingCount > 0 || requesterCount > 0 || isNeededOutside
  }
  /// Whether no slot is in use.
  package var isUnused: Bool { subscribers.isEmpty }
  package var hasNewSubscribers: Bool { newSubscribers > 0 }

  // MARK: Subscribing

  /// Adds a subscriber.
  ///
  /// - Parameters:
  ///   - policy: Which elements it gets.
  ///   - number: Its number among the subscribers; numbers rise. See ``publish(upTo:)``.
  ///   - isFiltered: Whether the shell has a filter for it.
  ///   - beginsAtSource: Whether it asks the source before it gets its first element.
  /// - Returns: The slot that identifies it until it is released. If the subscriber is new and the
  ///   newest element is kept, that element has to be offered again.
  package mutating func subscribe(
    _ policy: Policy, number: UInt64 = 0, isFiltered: Bool = false, beginsAtSource: Bool = false
  ) -> Int {
    let subscriber = Subscriber(
      policy: policy, number: number, isFiltered: isFiltered, next: end,
      selectsOnPublish: isFiltered || policy.limit != .max, isNew: hasValues,
      sourceRequest: beginsAtSource ? .needed : .none)
    let slot = free.popLast() ?? subscribers.count
    if slot == subscribers.count {
      subscribers.append(subscriber)
    } else {
      subscribers[slot] = subscriber
    }
    count += 1
    guard policy != .newest else {
      if firstRetained < end { begin(slot) }
      return slot
    }
    retainingCount += 1
    places[places.count - 1].readers += 1
    if hasValues { newSubscribers += 1 }
    activate(slot)
    return slot
  }

  /// A subscriber unsubscribes; it gets no more elements.
  ///
  /// - Parameters:
  ///   - slot: The subscriber.
  ///   - isReleased: Whether its slot may be used again.
  package mutating func unsubscribe(_ slot: Int, isReleased: Bool) {
    if subscribers[slot].presence == .subscribed {
      count -= 1
      deactivate(slot)
      begin(slot)
      endSourceRequest(slot)
      if subscribers[slot].policy != .newest {
        retainingCount -= 1
        places[index(subscribers[slot].next)].readers -= 1
      }
      subscribers[slot].presence = .unsubscribed
      subscribers[slot].bufferedCount = 0
      drop()
    }
    guard isReleased, subscribers[slot].presence == .unsubscribed else { return }
    subscribers[slot].presence = .released
    if !subscribers[slot].isExamined { release(slot) }
  }

  private mutating func release(_ slot: Int) {
    free.append(slot)
    if free.count == subscribers.count { (subscribers, free) = ([], []) }
  }

  // MARK: Publishing

  /// A subscriber that has to be handled at once when the newest element is published.
  @usableFromInline
  package struct Receiver: Sendable, Hashable {
    @usableFromInline package let subscriber: Int
    /// What happens to the element; `nil` if the shell has to examine the element for this
    /// subscriber.
    @usableFromInline package let claim: Claim?
  }

  /// Which of the elements that are buffered is dropped when one is added.
  @usableFromInline
  package enum BufferDrop: Sendable, Hashable { case none, oldest, newest }

  /// Publishes an element.
  ///
  /// - Parameter number: The number of the last subscriber that gets it.
  /// - Returns: The subscribers to which the shell has to deliver it.
  @usableFromInline
  package mutating func publish(upTo number: UInt64 = .max) -> [Receiver] {
    precondition(!isFinished, "publish after finish")
    places[places.count - 1].upTo = number
    places.append(Place())
    end += 1
    let receivers = activeSlots.isEmpty && newSlots.isEmpty ? [] : newestReceivers()
    drop()
    return receivers
  }

  /// The source offers its newest element again, and has no newer one.
  ///
  /// The element may have been dropped; from now on it is available to new subscribers.
  ///
  /// - Parameter asking: The subscriber that asked, if any.
  /// - Returns: The subscribers to which the shell has to deliver it.
  package mutating func offerAgain(to asking: Int? = nil) -> [Receiver] {
    let isMissing = asking.map { subscribers[$0].isNew || subscribers[$0].next < end } ?? false
    guard end > 0, newSubscribers > 0 || isMissing || keepsNewest else { return [] }
    if firstRetained == end { firstRetained -= 1 }
    if let asking, subscribers[asking].activeIndex == nil { begin(asking) }
    let receivers = newestReceivers(onlyNew: true)
    drop()
    return receivers
  }

  /// Visits the subscribers that receive the newest element.
  private mutating func newestReceivers(onlyNew: Bool = false) -> [Receiver] {
    var receivers: [Receiver] = []
    var index = onlyNew ? activeSlots.count : 0
    while index < activeSlots.count {
      let slot = activeSlots[index]
      if let receiver = receive(slot) { receivers.append(receiver) }
      deactivateUnlessNeeded(slot)
      if subscribers[slot].activeIndex != nil { index += 1 }
    }
    // New subscribers come last, since those that wait or select on publication move to
    // `activeSlots`.
    for slot in newSlots {
      if let receiver = receive(slot) { receivers.append(receiver) }
      deactivateUnlessNeeded(slot)
    }
    return receivers
  }

  private mutating func receive(_ slot: Int) -> Receiver? {
    begin(slot)
    if subscribers[slot].isFiltered {
      subscribers[slot].isExamined = true
      return Receiver(subscriber: slot, claim: nil)
    }
    let isIncluded = subscribers[slot].number <= places[places.count - 2].upTo
    let isReceiver =
      isIncluded && (subscribers[slot].readers > 0 || subscribers[slot].selectsOnPublish)
    if isReceiver || !isIncluded { move(slot, to: end) }
    return isReceiver ? Receiver(subscriber: slot, claim: claim(slot)) : nil
  }

  // MARK: Choosing

  @usableFromInline
  package enum Claim: Sendable, Hashable {
    /// The element is delivered to the first reader that waits.
    case reader
    case buffer(BufferDrop)
  }

  /// An element was chosen for a subscriber, or was put back.
  package mutating func claim(_ slot: Int) -> Claim {
    if subscribers[slot].readers > 0 {
      subscribers[slot].readers -= 1
      if subscribers[slot].readers == 0 { endSourceRequest(slot) }
      deactivateUnlessNeeded(slot)
      return .reader
    }
    subscribers[slot].bufferedCount += 1
    guard subscribers[slot].bufferedCount > subscribers[slot].policy.limit else {
      return .buffer(.none)
    }
    subscribers[slot].bufferedCount -= 1
    subscribers[slot].lost += 1
    if case .first = subscribers[slot].policy { return .buffer(.newest) }
    return .buffer(.oldest)
  }

  package enum Examination: Sendable, Hashable {
    case choose(position: UInt64)
    case rest
    /// As `rest`; in addition, the readers that wait have to be resumed with the end.
    case end
  }

  /// Returns the next element that the shell has to examine for a subscriber.
  package mutating func examine(_ slot: Int) -> Examination {
    guard isSubscribed(slot) else {
      subscribers[slot].isExamined = false
      if subscribers[slot].presence == .released { release(slot) }
      return .rest
    }
    if let position = advance(slot) { return .choose(position: position) }
    subscribers[slot].isExamined = false
    guard isFinished else {
      activate(slot)
      return .rest
    }
    guard subscribers[slot].readers > 0 else { return .rest }
    subscribers[slot].readers = 0
    return .end
  }

  /// Whether the subscriber for which an element was chosen is still subscribed.
  package func isSubscribed(_ slot: Int) -> Bool { subscribers[slot].presence == .subscribed }

  /// How many of a subscriber's elements were dropped because of its limit.
  package func lost(_ slot: Int) -> Int { subscribers[slot].lost }

  /// Changes a subscriber's policy, which also applies to the elements that it has not read yet.
  ///
  /// - Returns: How many of the elements that are buffered are dropped, and whether the shell has
  ///   to examine elements for the subscriber.
  package mutating func limit(_ slot: Int, to policy: Policy) -> (lost: Int, examines: Bool) {
    subscribers[slot].policy = policy
    if policy.limit != .max { subscribers[slot].selectsOnPublish = true }
    let lost = max(0, subscribers[slot].bufferedCount - policy.limit)
    subscribers[slot].bufferedCount -= lost
    subscribers[slot].lost += lost
    guard subscribers[slot].selectsOnPublish, !subscribers[slot].isExamined else {
      return (lost, false)
    }
    if subscribers[slot].next == end {
      activate(slot)
      return (lost, false)
    }
    deactivate(slot)
    subscribers[slot].isExamined = true
    return (lost, true)
  }

  // MARK: Reading

  @usableFromInline
  package enum Next: Sendable, Hashable {
    case deliver(position: UInt64)
    /// The first element that is buffered.
    ///
    /// - skipped: How many elements were dropped since the one before.
    case deliverBuffered(skipped: Int)
    case ask
    case wait
    case end
  }

  /// A reader requests the next element of a subscriber.
  @usableFromInline
  package mutating func next(_ slot: Int) -> Next {
    guard isSubscribed(slot) else { return .end }
    if subscribers[slot].sourceRequest == .needed {
      subscribers[slot].sourceRequest = .none
      return .ask
    }
    if subscribers[slot].bufferedCount > 0 {
      subscribers[slot].bufferedCount -= 1
      defer { subscribers[slot].lostBefore = subscribers[slot].lost }
      return .deliverBuffered(skipped: subscribers[slot].lost - subscribers[slot].lostBefore)
    }
    if subscribers[slot].policy == .newest {
      if firstRetained < end, subscribers[slot].isNew || subscribers[slot].next < end {
        clearNew(slot)
        subscribers[slot].next = end
        if subscribers[slot].readers == 0 { endSourceRequest(slot) }
        drop()
        return .deliver(position: end - 1)
      }
    } else if !subscribers[slot].selectsOnPublish, let position = advance(slot) {
      return .deliver(position: position)
    }
    if subscribers[slot].isExamined { return .wait }
    if isFinished { return .end }
    guard subscribers[slot].sourceRequest == .none,
      subscribers[slot].isNew || subscribers[slot].policy == .newest
    else { return .wait }
    subscribers[slot].sourceRequest = .pending
    if subscribers[slot].policy == .newest { requesterCount += 1 }
    // The newest element is kept here, so the source has nothing to add.
    return keepsNewest && !subscribers[slot].isNew ? .wait : .ask
  }

  /// A reader that found no element waits.
  @usableFromInline
  package mutating func wait(_ slot: Int) {
    subscribers[slot].readers += 1
    if !subscribers[slot].isExamined { activate(slot) }
  }

  /// A reader stops waiting.
  package mutating func cancel(_ slot: Int) {
    subscribers[slot].readers -= 1
    deactivateUnlessNeeded(slot)
  }

  /// Moves a subscriber that has got nothing yet to an element, or to the position before it.
  ///
  /// The elements that it skips are not counted as lost: they were published before the subscriber
  /// was added.
  ///
  /// - Parameters:
  ///   - slot: The subscriber.
  ///   - position: The element.
  ///   - passed: How many of the elements that are buffered it skips.
  ///   - lost: The highest number of dropped elements that is counted for it.
  package mutating func skip(_ slot: Int, to position: UInt64, passed: Int, lost: Int) {
    subscribers[slot].bufferedCount -= passed
    subscribers[slot].lost = min(subscribers[slot].lost, lost)
    guard subscribers[slot].policy != .newest, position > subscribers[slot].next else { return }
    move(slot, to: position)
    drop()
  }

  // MARK: Ending

  /// Nothing more will be published.
  ///
  /// - Returns: The subscribers whose readers have to be resumed with the end.
  package mutating func finish() -> [Int] {
    isFinished = true
    if hasValues { keepsNewest = true }
    let ended = (activeSlots + newSlots).filter { subscribers[$0].readers > 0 }
    for slot in activeSlots + newSlots { subscribers[slot].activeIndex = nil }
    (activeSlots, newSlots) = ([], [])
    for slot in ended { subscribers[slot].readers = 0 }
    return ended
  }

  // MARK: Positions of subscribers

  private func index(_ position: UInt64) -> Int { Int(position - base) }

  /// Returns the next position that a subscriber may read, and moves the subscriber past it.
  private mutating func advance(_ slot: Int) -> UInt64? {
    var position = subscribers[slot].next
    guard position < end else { return nil }
    while position < end, subscribers[slot].number > places[index(position)].upTo { position += 1 }
    move(slot, to: min(position + 1, end))
    drop()
    return position < end ? position : nil
  }

  private mutating func move(_ slot: Int, to position: UInt64) {
    if subscribers[slot].policy != .newest {
      places[index(subscribers[slot].next)].readers -= 1
      places[index(position)].readers += 1
    }
    subscribers[slot].next = position
  }

  /// A new subscriber begins with the newest element.
  private mutating func begin(_ slot: Int) {
    guard subscribers[slot].isNew else { return }
    clearNew(slot)
    if subscribers[slot].policy != .newest { newSubscribers -= 1 }
    if firstRetained < end { move(slot, to: end - 1) }
  }

  private mutating func clearNew(_ slot: Int) {
    guard subscribers[slot].isNew else { return }
    let wasActive = subscribers[slot].activeIndex != nil
    deactivate(slot)
    subscribers[slot].isNew = false
    if wasActive { activate(slot) }
  }

  private mutating func endSourceRequest(_ slot: Int) {
    guard subscribers[slot].sourceRequest == .pending else { return }
    subscribers[slot].sourceRequest = .none
    if subscribers[slot].policy == .newest { requesterCount -= 1 }
  }

  private func needsNextElement(_ slot: Int) -> Bool {
    let subscriber = subscribers[slot]
    return subscriber.isNew
      || !isFinished && !subscriber.isExamined
        && (subscriber.readers > 0 || subscriber.selectsOnPublish)
  }

  private mutating func deactivateUnlessNeeded(_ slot: Int) {
    if !needsNextElement(slot) { deactivate(slot) }
  }

  private mutating func activate(_ slot: Int) {
    guard subscribers[slot].activeIndex == nil, needsNextElement(slot) else { return }
    let isNew = subscribers[slot].isNew
    subscribers[slot].activeIndex = isNew ? newSlots.count : activeSlots.count
    if isNew { newSlots.append(slot) } else { activeSlots.append(slot) }
  }

  private mutating func deactivate(_ slot: Int) {
    guard let index = subscribers[slot].activeIndex else { return }
    subscribers[slot].activeIndex = nil
    let last = subscribers[slot].isNew ? newSlots.removeLast() : activeSlots.removeLast()
    guard last != slot else { return }
    if subscribers[slot].isNew { newSlots[index] = last } else { activeSlots[index] = last }
    subscribers[last].activeIndex = index
  }

  /// Raises ``firstRetained``; each position is passed once.
  private mutating func drop() {
    let keepsOne = keepsNewest || (hasValues && (retainingCount > 0 || requesterCount > 0))
    let limit = keepsOne && end > 0 ? end - 1 : end
    while firstRetained < limit, places[index(firstRetained)].readers == 0 { firstRetained += 1 }
    // The newest element may be kept again, so its place stays.
    let unused = index(firstRetained) - 1
    guard unused >= 512, unused * 2 >= places.count else { return }
    places.removeFirst(unused)
    base += UInt64(unused)
  }
}
