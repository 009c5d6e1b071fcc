public import ReactorMachines

/// An action on its way to a member: made outside the lock, admitted under it, closed after it.
@usableFromInline
struct GroupLetter<R: Reactor>: Sendable {
  @usableFromInline let action: R.Action
  @usableFromInline let context: ActionContext?
  @usableFromInline var admission = InboxMachine.Admission.refused(.closed)

  @inlinable
  init(_ action: R.Action, _ context: ActionContext?) {
    self.action = action
    self.context = context
  }
}

extension PipelineCore {
  @inlinable
  func write(_ action: R.Action) -> GroupLetter<R> { GroupLetter(action, contextOfSender()) }

  /// Puts it into the inbox.
  ///
  /// - Parameters:
  ///   - letter: The action.
  ///   - isAccepted: Called with its number, before it can be dequeued.
  @inlinable
  func post(_ letter: inout GroupLetter<R>, isAccepted: (UInt64) -> Void = { _ in }) {
    letter.admission = inbox.admit(letter.action, with: letter.context, isAccepted: isAccepted)
  }

  /// Does what must not be done under the lock.
  @inlinable @inline(__always)
  func close(_ letter: consuming GroupLetter<R>) -> GroupStanding {
    if case .accepted(let number, false) = letter.admission, letter.context == nil {
      return .sent(number)
    }
    return closeApart(letter)
  }

  @usableFromInline
  func closeApart(_ letter: GroupLetter<R>) -> GroupStanding {
    let standing: GroupStanding
    let kind: ActionReceipt<R>.Kind
    switch letter.admission {
    case .accepted(let number, let schedules):
      (standing, kind) = (.sent(number), .action(number))
      if schedules { look(asJob: true) }
    case .refused(.closed) where reactor == nil: (standing, kind) = (.gone, .refused(.stopped))
    case .refused(.cancelled): (standing, kind) = (.cancelled, .refused(.senderCancelled))
    case .refused(.closed):
      (standing, kind) = (.refused(.stopped), .refused(.stopped))
      report(.actionRefused, letter.action)
    case .refused(.full):
      (standing, kind) = (.refused(.inboxFull), .refused(.inboxFull))
      report(.inboxFull, letter.action)
    }
    if let context = letter.context { track(kind, by: context) }
    return standing
  }
}
