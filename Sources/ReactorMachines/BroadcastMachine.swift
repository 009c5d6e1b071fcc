/// A broadcast: which subscriber gets which element, and which elements have to be kept.
///
/// Elements are numbered by position. A subscriber is in one of these states:
///
/// ```
///              next, nothing there                publish
///   reading ─────────────────────▶ waiting ─────────────────▶ reading
///      │  next, nothing there, finished    │ finish
///      └──────────────▶ (end) ◀────────────┘
/// ```
///
/// | event | returns |
/// |---|---|
/// | `subscribe` | the number of the subscriber |
/// | `publish` | the position, and the subscribers that waited for it |
/// | `next` | deliver a position, wait, or the end |
/// | `cancel` | whether it waited |
/// | `leave` | whether it waited, and whether it was the last |
/// | `finish` | the subscribers that wait, to be resumed with the end |
///
/// Elements before ``kept`` are needed by no subscriber, and the shell drops them. A slow
/// subscriber of every element keeps what it has yet to get; one of the newest or the last few
/// keeps no more than that.
package struct BroadcastMachine: Sendable, Hashable {
  package enum Policy: Sendable, Hashable {
    case every
    case newest
    /// At most the last so many; those before them are skipped.
    case last(Int)
    /// At most the first so many; those that arrive when they are there are skipped.
    case first(Int)
  }

  package struct Delivery: Sendable, Hashable {
    package let subscriber: UInt64
    package let position: UInt64
    /// How many elements it did not get since its last one.
    package let skipped: Int
  }

  private struct Subscriber: Sendable, Hashable {
    let policy: Policy
    /// The position it gets next, unless it skips.
    var next: UInt64
    /// How many elements it has passed over since the last one it got.
    var skipped = 0
    var isWaiting = false
    /// Positions it will not get: they arrived when as many were there as it keeps.
    var lost: [Range<UInt64>] = []
  }

  /// How many elements have been published: the position of the next.
  package private(set) var end: UInt64 = 0
  /// The lowest position that is needed.
  package private(set) var kept: UInt64 = 0
  package private(set) var isFinished = false
  /// Whether the newest element is kept for later subscribers.
  private let keepsNewest: Bool
  private var subscribers: [UInt64: Subscriber] = [:]
  /// The subscribers that wait, in the order in which they began to; each may wait again.
  private var waiting: [UInt64] = []
  /// How many subscribers need everything from a position on.
  private var pins: [UInt64: Int] = [:]
  /// How many of the newest elements the others need, with the number of those that need so many.
  private var tails: [Int: Int] = [:]
  private var firsts = NumberQueue()
  private var lastSubscriber: UInt64 = 0

  package init(keepsNewest: Bool) { self.keepsNewest = keepsNewest }

  package var isDeserted: Bool { subscribers.isEmpty }
  /// Whether an element that is published now is needed by anything.
  package var isWatched: Bool { keepsNewest || !subscribers.isEmpty }

  // MARK: Subscribing

  /// A subscriber comes.
  ///
  /// - Parameters:
  ///   - policy: Which elements it gets.
  ///   - startsWithNewest: Whether the newest element is the first it gets, if there is one;
  ///     otherwise it begins with the next.
  /// - Returns: Its number.
  package mutating func subscribe(_ policy: Policy, startsWithNewest: Bool) -> UInt64 {
    lastSubscriber += 1
    let start = startsWithNewest && kept < end ? end - 1 : end
    subscribers[lastSubscriber] = Subscriber(policy: policy, next: start)
    switch policy {
    case .every: pins[start, default: 0] += 1
    case .first:
      pins[start, default: 0] += 1
      firsts.append(lastSubscriber)
    case .newest: tails[1, default: 0] += 1
    case .last(let count): tails[count, default: 0] += 1
    }
    return lastSubscriber
  }

  package struct Leaving: Sendable, Hashable {
    /// Whether it waited, and is to be resumed with the end.
    package let wasWaiting: Bool
    package let isDeserted: Bool
  }

  package mutating func leave(_ id: UInt64) -> Leaving {
    guard let subscriber = subscribers.removeValue(forKey: id) else {
      return Leaving(wasWaiting: false, isDeserted: isDeserted)
    }
    switch subscriber.policy {
    case .every: unpin(subscriber.next)
    case .first:
      unpin(subscriber.next)
      _ = firsts.remove(id)
    case .newest: untail(1)
    case .last(let count): untail(count)
    }
    if subscriber.isWaiting { waiting.removeAll { $0 == id } }
    drop()
    return Leaving(wasWaiting: subscriber.isWaiting, isDeserted: isDeserted)
  }

  // MARK: Publishing

  /// An element is published.
  ///
  /// - Returns: Its position, and the subscribers that are to be resumed with it.
  package mutating func publish() -> (position: UInt64, deliveries: [Delivery]) {
    precondition(!isFinished, "publish after finish")
    let position = end
    for id in firsts.all { skipIfFull(id, position) }
    end += 1
    var deliveries: [Delivery] = []
    let waited = waiting
    waiting = []
    for id in waited {
      subscribers[id]?.isWaiting = false
      if case .deliver(let delivery) = next(id) { deliveries.append(delivery) }
    }
    drop()
    return (position, deliveries)
  }

  private mutating func skipIfFull(_ id: UInt64, _ position: UInt64) {
    guard let subscriber = subscribers[id], case .first(let count) = subscriber.policy else {
      return
    }
    let lost = subscriber.lost.reduce(0) { $0 + $1.count }
    guard Int(position - subscriber.next) - lost >= count else { return }
    if let last = subscriber.lost.last, last.upperBound == position {
      subscribers[id]?.lost[subscriber.lost.count - 1] = last.lowerBound..<position + 1
    } else {
      subscribers[id]?.lost.append(position..<position + 1)
    }
  }

  /// Nothing more will be published.
  ///
  /// - Returns: The subscribers that wait, to be resumed with the end.
  package mutating func finish() -> [UInt64] {
    isFinished = true
    let waited = waiting
    waiting = []
    for id in waited { subscribers[id]?.isWaiting = false }
    return waited
  }

  // MARK: Reading

  package enum Next: Sendable, Hashable {
    case deliver(Delivery)
    case wait
    case end
  }

  package mutating func next(_ id: UInt64) -> Next {
    guard let subscriber = subscribers[id] else { return .end }
    precondition(!subscriber.isWaiting, "two tasks iterate subscriber \(id)")
    var position = subscriber.next
    switch subscriber.policy {
    case .every: break
    case .newest: position = max(position, end == 0 ? 0 : end - 1)
    case .last(let count): position = max(position, end < count ? 0 : end - UInt64(count))
    case .first:
      if let lost = subscriber.lost.first, lost.lowerBound == position {
        position = lost.upperBound
        subscribers[id]?.lost.removeFirst()
      }
    }
    let skipped = subscriber.skipped + Int(position - subscriber.next)
    if position < end {
      move(id, to: position + 1)
      subscribers[id]?.skipped = 0
      return .deliver(Delivery(subscriber: id, position: position, skipped: skipped))
    }
    if position != subscriber.next { move(id, to: position) }
    subscribers[id]?.skipped = skipped
    if isFinished { return .end }
    subscribers[id]?.isWaiting = true
    waiting.append(id)
    return .wait
  }

  /// The task that waits is cancelled.
  ///
  /// - Returns: Whether it still waited, and is to be resumed with the end.
  package mutating func cancel(_ id: UInt64) -> Bool {
    guard subscribers[id]?.isWaiting == true else { return false }
    subscribers[id]?.isWaiting = false
    waiting.removeAll { $0 == id }
    return true
  }

  // MARK: What is kept

  private mutating func move(_ id: UInt64, to position: UInt64) {
    guard let subscriber = subscribers[id] else { return }
    switch subscriber.policy {
    case .every, .first:
      unpin(subscriber.next)
      pins[position, default: 0] += 1
    case .newest, .last: break
    }
    subscribers[id]?.next = position
    drop()
  }

  private mutating func unpin(_ position: UInt64) {
    guard let count = pins[position] else { preconditionFailure("nothing is pinned there") }
    pins[position] = count == 1 ? nil : count - 1
  }

  private mutating func untail(_ count: Int) {
    guard let users = tails[count] else { preconditionFailure("no such tail") }
    tails[count] = users == 1 ? nil : users - 1
  }

  /// Moves ``kept`` on; each position is passed once.
  private mutating func drop() {
    let tail = max(tails.keys.max() ?? 0, keepsNewest ? 1 : 0)
    let start = end < tail ? 0 : end - UInt64(tail)
    // No pin is before `kept`, which stops at the first.
    while kept < start, pins[kept] == nil { kept += 1 }
  }
}
