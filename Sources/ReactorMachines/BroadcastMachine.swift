/// A broadcast: which subscriber gets which element, and which elements have to be kept.
///
/// Elements are numbered by their position in one list. A subscriber reads the list from where it
/// stands, or has elements *set aside* for it: those that were chosen for it, or that came back.
/// These are older than what it has yet to read in the list, so it gets them first. Several readers
/// may share a subscriber; each element goes to one of them.
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
/// | `publish`, `offerAgain` | the subscribers that get, choose or set aside the newest element |
/// | `next` | a position, what is set aside, wait, ask the source, or the end |
/// | `examine` | the next element to choose from, for the one that goes to such a subscriber |
/// | `claim` | whether a reader gets an element that is chosen, or has come back |
/// | `finish` | the subscribers whose readers are to be resumed with the end |
///
/// Of *events* a subscriber gets those after it came. Of *values* it gets the newest first; where
/// that is not kept, it is new, and asks the source, which offers it. Elements before ``kept`` are
/// needed by no subscriber, and the shell drops them. A subscriber of every element keeps what it
/// has yet to get; one with a limit no more than that, set aside; one of the newest keeps nothing.
@usableFromInline
package struct BroadcastMachine: Sendable, Hashable {
  /// Which elements a subscriber gets that it does not ask for in time.
  package enum Policy: Sendable, Hashable {
    case every
    /// The newest at the moment of asking, if it has not got it.
    case newest
    /// The newest so many.
    case last(Int)
    /// The oldest so many.
    case first(Int)

    var limit: Int {
      switch self {
      case .every, .newest: .max
      // Of none that is kept, a reader that comes later would never get one.
      case .last(let count), .first(let count): max(1, count)
      }
    }
  }

  private enum Presence: Sendable, Hashable { case there, left, released }

  /// Whether a subscriber has a question to the source.
  private enum Question: Sendable, Hashable {
    /// It is to be asked before the subscriber gets anything.
    case first
    /// It has been asked, for what the subscriber has not got since.
    case asked
    case none
  }

  private struct Subscriber: Sendable, Hashable {
    var policy: Policy
    let number: UInt64
    /// Whether a filter outside chooses what it gets.
    let isFiltered: Bool
    /// The position after the last one that it has read, or that has been chosen from.
    var next: UInt64
    /// Whether elements are chosen for it as they come: it does not read the list itself.
    var chooses: Bool
    var aside = 0
    /// How many readers wait; then nothing is there for them.
    var readers = 0
    /// How many elements it has lost to its limit, and how many it had when it got the last one.
    var lost = 0
    var lostBefore = 0
    /// Whether it has yet to be given the newest element to begin with.
    var isNew: Bool
    var question: Question
    /// Whether something goes to it now with what it has to choose from.
    var isExamined = false
    var presence = Presence.there
    /// Its index in ``fresh`` while it is new, and else in ``called``.
    var call: Int?
  }

  private struct Place: Sendable, Hashable {
    /// How many subscribers read on from here.
    var readers = 0
    /// The number of the last subscriber that gets the element.
    var upTo = UInt64.max
  }

  /// How many elements have been published: the position of the next.
  @usableFromInline package private(set) var end: UInt64 = 0
  /// The lowest position that is needed.
  @usableFromInline package private(set) var kept: UInt64 = 0
  @usableFromInline package private(set) var isFinished = false
  /// Whether the newest element is kept for later subscribers, by this and not by the source.
  package var keepsNewest = false { didSet { drop() } }
  /// Whether every element is needed beside those of subscribers.
  package var isNeededOutside = false
  private let hasValues: Bool
  private var subscribers: [Subscriber] = []
  private var free: [Int] = []
  /// How many have come and not left, and how many of them are not of the newest.
  package private(set) var count = 0
  private var followers = 0
  /// How many of the newest wait for the source, or for an element.
  private var askers = 0
  /// How many that are not of the newest are new.
  private var newcomers = 0
  /// Those that the next element concerns at once, as they are new.
  private var fresh: [Int] = []
  /// Those that it concerns at once, as they wait or choose.
  private var called: [Int] = []
  /// The places from ``base`` on, up to that of the next element.
  private var places = [Place()]
  private var base: UInt64 = 0

  /// - Parameter hasValues: Whether a subscriber begins with the newest element.
  package init(hasValues: Bool) { self.hasValues = hasValues }

  package var isDeserted: Bool { count == 0 && !keepsNewest && !isNeededOutside }
  /// Whether an element that is published now is needed by anything that is there.
  @usableFromInline package var isWatched: Bool { followers > 0 || askers > 0 || isNeededOutside }
  /// Whether nothing is known here by a number.
  package var isUnused: Bool { subscribers.isEmpty }
  package var hasNewcomers: Bool { newcomers > 0 }

  // MARK: Subscribing

  /// A subscriber comes.
  ///
  /// - Parameters:
  ///   - policy: Which elements it gets.
  ///   - number: Its number among the subscribers, which rises; see ``publish(upTo:)``.
  ///   - isFiltered: Whether the shell has a filter for it.
  ///   - asksFirst: Whether it asks the source before it gets its first element.
  /// - Returns: By what it is known until it is released. Where it is new and the newest element is
  ///   kept, that is to be offered again.
  package mutating func subscribe(
    _ policy: Policy, number: UInt64 = 0, isFiltered: Bool = false, asksFirst: Bool = false
  ) -> Int {
    let subscriber = Subscriber(
      policy: policy, number: number, isFiltered: isFiltered, next: end,
      chooses: isFiltered || policy.limit != .max, isNew: hasValues,
      question: asksFirst ? .first : .none)
    let slot = free.popLast() ?? subscribers.count
    if slot == subscribers.count {
      subscribers.append(subscriber)
    } else {
      subscribers[slot] = subscriber
    }
    count += 1
    guard policy != .newest else {
      if kept < end { begin(slot) }
      return slot
    }
    followers += 1
    places[places.count - 1].readers += 1
    if hasValues { newcomers += 1 }
    call(slot)
    return slot
  }

  /// A subscriber gives its place up; it gets nothing more.
  ///
  /// - Parameters:
  ///   - slot: The subscriber.
  ///   - isReleased: Whether what it is known by may be used again.
  package mutating func leave(_ slot: Int, isReleased: Bool) {
    if subscribers[slot].presence == .there {
      count -= 1
      uncall(slot)
      begin(slot)
      endAsking(slot)
      if subscribers[slot].policy != .newest {
        followers -= 1
        places[index(subscribers[slot].next)].readers -= 1
      }
      subscribers[slot].presence = .left
      subscribers[slot].aside = 0
      drop()
    }
    guard isReleased, subscribers[slot].presence == .left else { return }
    subscribers[slot].presence = .released
    if !subscribers[slot].isExamined { release(slot) }
  }

  private mutating func release(_ slot: Int) {
    free.append(slot)
    if free.count == subscribers.count { (subscribers, free) = ([], []) }
  }

  // MARK: Publishing

  /// A subscriber that the newest element concerns at once.
  @usableFromInline
  package struct Receiver: Sendable, Hashable {
    @usableFromInline package let subscriber: Int
    /// What becomes of the element; `nil` where something has to go there, to choose.
    @usableFromInline package let claim: Claim?
  }

  /// Which of the elements that are set aside is lost, when one is added.
  @usableFromInline
  package enum Loss: Sendable, Hashable { case none, oldest, newest }

  /// An element is published.
  ///
  /// - Parameter number: The number of the last subscriber that gets it.
  /// - Returns: What is to be done with it.
  @usableFromInline
  package mutating func publish(upTo number: UInt64 = .max) -> [Receiver] {
    precondition(!isFinished, "publish after finish")
    places[places.count - 1].upTo = number
    places.append(Place())
    end += 1
    let receivers = called.isEmpty && fresh.isEmpty ? [] : concern()
    drop()
    return receivers
  }

  /// The source has the newest element, and nothing newer: it may have been dropped, and is there
  /// again for those that are new.
  ///
  /// - Parameter asking: The subscriber that has asked, if one has.
  /// - Returns: What is to be done with it.
  package mutating func offerAgain(to asking: Int? = nil) -> [Receiver] {
    let isMissing = asking.map { subscribers[$0].isNew || subscribers[$0].next < end } ?? false
    guard end > 0, newcomers > 0 || isMissing || keepsNewest else { return [] }
    if kept == end { kept -= 1 }
    if let asking, subscribers[asking].call == nil { begin(asking) }
    let receivers = concern(newOnesAlone: true)
    drop()
    return receivers
  }

  /// Goes to those that the newest element concerns.
  private mutating func concern(newOnesAlone: Bool = false) -> [Receiver] {
    var receivers: [Receiver] = []
    var index = newOnesAlone ? called.count : 0
    while index < called.count {
      let slot = called[index]
      if let receiver = receive(slot) { receivers.append(receiver) }
      uncallUnlessConcerned(slot)
      if subscribers[slot].call != nil { index += 1 }
    }
    // Last: those that wait or choose move to the others.
    for slot in fresh {
      if let receiver = receive(slot) { receivers.append(receiver) }
      uncallUnlessConcerned(slot)
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
    let isReceiver = isIncluded && (subscribers[slot].readers > 0 || subscribers[slot].chooses)
    if isReceiver || !isIncluded { move(slot, to: end) }
    return isReceiver ? Receiver(subscriber: slot, claim: claim(slot)) : nil
  }

  // MARK: Choosing

  @usableFromInline
  package enum Claim: Sendable, Hashable {
    /// The first reader that waits gets it.
    case reader
    case aside(Loss)
  }

  /// An element is chosen for a subscriber, or has come back to it.
  package mutating func claim(_ slot: Int) -> Claim {
    if subscribers[slot].readers > 0 {
      subscribers[slot].readers -= 1
      if subscribers[slot].readers == 0 { endAsking(slot) }
      uncallUnlessConcerned(slot)
      return .reader
    }
    subscribers[slot].aside += 1
    guard subscribers[slot].aside > subscribers[slot].policy.limit else { return .aside(.none) }
    subscribers[slot].aside -= 1
    subscribers[slot].lost += 1
    if case .first = subscribers[slot].policy { return .aside(.newest) }
    return .aside(.oldest)
  }

  package enum Examination: Sendable, Hashable {
    case choose(position: UInt64)
    case rest
    /// As `rest`; and the readers that wait are to be resumed with the end.
    case end
  }

  /// What is next for a subscriber that something goes to.
  package mutating func examine(_ slot: Int) -> Examination {
    guard isThere(slot) else {
      subscribers[slot].isExamined = false
      if subscribers[slot].presence == .released { release(slot) }
      return .rest
    }
    if let position = advance(slot) { return .choose(position: position) }
    subscribers[slot].isExamined = false
    guard isFinished else {
      call(slot)
      return .rest
    }
    guard subscribers[slot].readers > 0 else { return .rest }
    subscribers[slot].readers = 0
    return .end
  }

  /// Whether a subscriber is there that an element has been chosen for.
  package func isThere(_ slot: Int) -> Bool { subscribers[slot].presence == .there }

  /// How many elements a subscriber has lost to its limit.
  package func lost(_ slot: Int) -> Int { subscribers[slot].lost }

  /// A subscriber has another policy from now on, also for what is there.
  ///
  /// - Returns: How many that are set aside are lost, and whether something has to go to it.
  package mutating func limit(_ slot: Int, to policy: Policy) -> (lost: Int, examines: Bool) {
    subscribers[slot].policy = policy
    if policy.limit != .max { subscribers[slot].chooses = true }
    let lost = max(0, subscribers[slot].aside - policy.limit)
    subscribers[slot].aside -= lost
    subscribers[slot].lost += lost
    guard subscribers[slot].chooses, !subscribers[slot].isExamined else { return (lost, false) }
    if subscribers[slot].next == end {
      call(slot)
      return (lost, false)
    }
    uncall(slot)
    subscribers[slot].isExamined = true
    return (lost, true)
  }

  // MARK: Reading

  @usableFromInline
  package enum Next: Sendable, Hashable {
    case deliver(position: UInt64)
    /// The first that is set aside.
    ///
    /// - skipped: How many were lost since the one before.
    case aside(skipped: Int)
    case ask
    case wait
    case end
  }

  /// A reader asks for the next element of a subscriber.
  @usableFromInline
  package mutating func next(_ slot: Int) -> Next {
    guard isThere(slot) else { return .end }
    if subscribers[slot].question == .first {
      subscribers[slot].question = .none
      return .ask
    }
    if subscribers[slot].aside > 0 {
      subscribers[slot].aside -= 1
      defer { subscribers[slot].lostBefore = subscribers[slot].lost }
      return .aside(skipped: subscribers[slot].lost - subscribers[slot].lostBefore)
    }
    if subscribers[slot].policy == .newest {
      if kept < end, subscribers[slot].isNew || subscribers[slot].next < end {
        age(slot)
        subscribers[slot].next = end
        if subscribers[slot].readers == 0 { endAsking(slot) }
        drop()
        return .deliver(position: end - 1)
      }
    } else if !subscribers[slot].chooses, let position = advance(slot) {
      return .deliver(position: position)
    }
    if subscribers[slot].isExamined { return .wait }
    if isFinished { return .end }
    guard subscribers[slot].question == .none,
      subscribers[slot].isNew || subscribers[slot].policy == .newest
    else { return .wait }
    subscribers[slot].question = .asked
    if subscribers[slot].policy == .newest { askers += 1 }
    // What is kept here is the newest: the source has nothing to say about it.
    return keepsNewest && !subscribers[slot].isNew ? .wait : .ask
  }

  /// A reader that has found nothing waits.
  @usableFromInline
  package mutating func wait(_ slot: Int) {
    subscribers[slot].readers += 1
    if !subscribers[slot].isExamined { call(slot) }
  }

  /// A reader does not wait any longer.
  package mutating func cancel(_ slot: Int) {
    subscribers[slot].readers -= 1
    uncallUnlessConcerned(slot)
  }

  /// A subscriber that has got nothing yet goes on to an element, or before it.
  ///
  /// What it goes past has not been lost: it was there before the subscriber came.
  ///
  /// - Parameters:
  ///   - slot: The subscriber.
  ///   - position: The element.
  ///   - passed: How many that are set aside it goes past.
  ///   - lost: How many were lost at most of those that it should have got.
  package mutating func skip(_ slot: Int, to position: UInt64, passed: Int, lost: Int) {
    subscribers[slot].aside -= passed
    subscribers[slot].lost = min(subscribers[slot].lost, lost)
    guard subscribers[slot].policy != .newest, position > subscribers[slot].next else { return }
    move(slot, to: position)
    drop()
  }

  // MARK: Ending

  /// Nothing more will be published.
  ///
  /// - Returns: The subscribers whose readers are to be resumed with the end.
  package mutating func finish() -> [Int] {
    isFinished = true
    if hasValues { keepsNewest = true }
    let ended = (called + fresh).filter { subscribers[$0].readers > 0 }
    for slot in called + fresh { subscribers[slot].call = nil }
    (called, fresh) = ([], [])
    for slot in ended { subscribers[slot].readers = 0 }
    return ended
  }

  // MARK: Where subscribers stand

  private func index(_ position: UInt64) -> Int { Int(position - base) }

  /// The next position of a subscriber that it may read, after which it reads on.
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

  /// A subscriber that is new begins with the newest element.
  private mutating func begin(_ slot: Int) {
    guard subscribers[slot].isNew else { return }
    age(slot)
    if subscribers[slot].policy != .newest { newcomers -= 1 }
    if kept < end { move(slot, to: end - 1) }
  }

  private mutating func age(_ slot: Int) {
    guard subscribers[slot].isNew else { return }
    let isCalled = subscribers[slot].call != nil
    uncall(slot)
    subscribers[slot].isNew = false
    if isCalled { call(slot) }
  }

  private mutating func endAsking(_ slot: Int) {
    guard subscribers[slot].question == .asked else { return }
    subscribers[slot].question = .none
    if subscribers[slot].policy == .newest { askers -= 1 }
  }

  private func isConcerned(_ slot: Int) -> Bool {
    let subscriber = subscribers[slot]
    return subscriber.isNew
      || !isFinished && !subscriber.isExamined && (subscriber.readers > 0 || subscriber.chooses)
  }

  private mutating func uncallUnlessConcerned(_ slot: Int) {
    if !isConcerned(slot) { uncall(slot) }
  }

  private mutating func call(_ slot: Int) {
    guard subscribers[slot].call == nil, isConcerned(slot) else { return }
    let isNew = subscribers[slot].isNew
    subscribers[slot].call = isNew ? fresh.count : called.count
    if isNew { fresh.append(slot) } else { called.append(slot) }
  }

  private mutating func uncall(_ slot: Int) {
    guard let index = subscribers[slot].call else { return }
    subscribers[slot].call = nil
    let last = subscribers[slot].isNew ? fresh.removeLast() : called.removeLast()
    guard last != slot else { return }
    if subscribers[slot].isNew { fresh[index] = last } else { called[index] = last }
    subscribers[last].call = index
  }

  /// Moves ``kept`` on; each position is passed once.
  private mutating func drop() {
    let keepsOne = keepsNewest || (hasValues && (followers > 0 || askers > 0))
    let limit = keepsOne && end > 0 ? end - 1 : end
    while kept < limit, places[index(kept)].readers == 0 { kept += 1 }
    // The newest may be kept again: its place stays.
    let unused = index(kept) - 1
    guard unused >= 512, unused * 2 >= places.count else { return }
    places.removeFirst(unused)
    base += UInt64(unused)
  }
}
