public import ReactorMachines
import ReactorRuntime

/// A sender that waits for capacity in a full inbox.
@usableFromInline
struct SuspendedSender<Action: Sendable>: Sendable {
  let envelope: Envelope<Action>
  let continuation: CheckedContinuation<InboxMachine.Admission, Never>

  /// A sender that no longer waits, to be resumed outside the lock.
  @usableFromInline
  struct Entry: Sendable {
    let continuation: CheckedContinuation<InboxMachine.Admission, Never>
    let admission: InboxMachine.Admission

    @usableFromInline
    func resume() { continuation.resume(returning: admission) }
  }
}

extension Inbox {
  /// Accepts an action once there is capacity for it and the senders before it have been admitted.
  func admitOrSuspend(
    _ action: Action, with context: ActionContext?
  ) async -> InboxMachine.Admission {
    let waiting = Guarded<UInt64?>(nil)
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let admission = contents.withLock { contents -> InboxMachine.Admission? in
          switch contents.machine.admitOrSuspend() {
          case .admitted(let admission):
            if case .accepted = admission { contents.queue.append(Envelope(action, context)) }
            return admission
          // Cancelling the task from here on finds the sender, since that takes this lock.
          case .suspended(let sender) where Task.isCancelled:
            _ = contents.machine.cancelSender(sender)
            return .refused(.cancelled)
          case .suspended(let sender):
            waiting.withLock { $0 = sender }
            contents.senders[sender] = SuspendedSender(
              envelope: Envelope(action, context), continuation: continuation)
            return nil
          }
        }
        if let admission { continuation.resume(returning: admission) }
      }
    } onCancel: {
      let sender = contents.withLock { contents -> SuspendedSender<Action>? in
        guard let sender = waiting.withLock({ $0 }), contents.machine.cancelSender(sender)
        else { return nil }
        return contents.senders.removeValue(forKey: sender)
      }
      sender?.continuation.resume(returning: .refused(.cancelled))
    }
  }
}

extension Inbox.Contents {
  /// Enqueues the actions of senders to which the machine has given numbers.
  @usableFromInline
  mutating func enqueue(
    _ admitted: [InboxMachine.AdmittedSender]
  ) -> [SuspendedSender<Action>.Entry] {
    admitted.compactMap { admittedSender in
      guard let sender = senders.removeValue(forKey: admittedSender.sender) else { return nil }
      queue.append(sender.envelope)
      return .init(
        continuation: sender.continuation,
        admission: .accepted(admittedSender.number, schedules: false))
    }
  }

  /// Refuses senders, because the inbox is closed.
  mutating func refuse(_ refused: [UInt64]) -> [SuspendedSender<Action>.Entry] {
    refused.compactMap { sender in
      senders.removeValue(forKey: sender).map {
        .init(continuation: $0.continuation, admission: .refused(.closed))
      }
    }
  }
}
