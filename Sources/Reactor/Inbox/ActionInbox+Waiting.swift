extension ActionInbox {
  /// Accepts an action as soon as there is room for it.
  func admitWhenRoom(
    _ action: Action, _ luggage: ActionLuggage? = nil, _ place: Extras
  ) async -> InboxAdmission {
    // Without a limit there is nothing to wait for, and nobody to keep the extras.
    guard let extras = contents.withLock({ _ in place.pointee }), !extras.limit.isUnlimited else {
      return admit(action, luggage, place)
    }
    let id = contents.withLock { _ in extras.suspended.makeID() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let admission = contents.withLock { contents -> InboxAdmission? in
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
