/// Senders that wait for room in a full inbox, first come first served.
@usableFromInline
struct SuspendedSenders<Action: Sendable>: Sendable {
  @usableFromInline
  struct Entry: Sendable {
    let action: Action
    let luggage: ActionLuggage?
    let continuation: CheckedContinuation<ActionInbox<Action>.Admission, Never>
  }

  @usableFromInline var entries: [Int: Entry] = [:]
  /// Those at the front may have left.
  @usableFromInline var order: ArraySlice<Int> = []
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
      if order.count > 2 * entries.count + 16 { order = order.filter { entries[$0] != nil }[...] }
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

extension ActionInbox {
  /// Accepts an action as soon as there is room for it.
  func admitWhenRoom(
    _ action: Action, _ luggage: ActionLuggage? = nil, _ place: Extras
  ) async -> Admission {
    // Without a limit there is nothing to wait for, and nobody to keep the extras.
    guard let extras = contents.withLock({ _ in place.pointee }), !extras.limit.isUnlimited else {
      return admit(action, luggage, place)
    }
    let id = contents.withLock { _ in extras.suspended.makeID() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let admission = contents.withLock { contents -> Admission? in
          if contents.isClosed { return .refused }
          if extras.hasRoom(beside: contents) {
            return extras.append(action, luggage, to: &contents)
          }
          if extras.limit.whenFull == .refuse { return .full }
          if Task.isCancelled { return .cancelled }
          let entry = SuspendedSenders.Entry(
            action: action, luggage: luggage, continuation: continuation)
          extras.suspended.append(entry, id: id)
          return nil
        }
        if let admission { continuation.resume(returning: admission) }
      }
    } onCancel: {
      contents.withLock { _ in extras.suspended.remove(id) }?.continuation.resume(
        returning: .cancelled)
    }
  }
}
