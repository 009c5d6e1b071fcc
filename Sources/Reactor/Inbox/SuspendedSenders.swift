/// Senders that wait for room in a full inbox, first come first served.
@usableFromInline
struct SuspendedSenders<Action: Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    let action: Action
    let luggage: ActionLuggage?
    let continuation: CheckedContinuation<InboxAdmission, Never>
  }

  @usableFromInline var entries: [Int: Entry] = [:]
  /// Some of them may have left.
  @usableFromInline var order = FIFO<Int>()
  @usableFromInline var nextID = 0

  @inlinable
  init() {}

  @inlinable var isEmpty: Bool { entries.isEmpty }

  mutating func makeID() -> Int {
    nextID += 1
    return nextID
  }

  mutating func append(_ entry: Entry, id: Int) {
    entries[id] = entry
    order.append(id)
  }

  mutating func popFirst() -> Entry? {
    while let id = order.popFirst() {
      if let entry = entries.removeValue(forKey: id) { return entry }
    }
    return nil
  }

  mutating func remove(_ id: Int) -> Entry? {
    defer {
      if order.count > 2 * entries.count + 16 { order.keep { entries[$0] != nil } }
    }
    return entries.removeValue(forKey: id)
  }

  mutating func refuseAll() -> [SuspendedSender] {
    var refused: [SuspendedSender] = []
    while let entry = popFirst() {
      refused.append(SuspendedSender { entry.continuation.resume(returning: .refused) })
    }
    return refused
  }
}

/// A sender that goes on, once the lock has been let go.
@usableFromInline
struct SuspendedSender: Sendable {
  @usableFromInline let resume: @Sendable () -> Void
}
