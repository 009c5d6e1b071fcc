/// An action on its way to a member: written outside the lock, posted under it, closed after it.
@usableFromInline
struct GroupLetter<R: Reactor>: Sendable {
  @usableFromInline let action: R.Action
  @usableFromInline let luggage: ActionLuggage?
  @usableFromInline var admission = InboxAdmission.refused

  @inlinable
  init(_ action: R.Action, _ luggage: ActionLuggage?) {
    self.action = action
    self.luggage = luggage
  }
}

extension PipelineCore {
  @inlinable
  func write(_ action: R.Action) -> GroupLetter<R> {
    if !carries, !Company.asksSenders { return GroupLetter(action, nil) }
    return writeWithLuggage(action)
  }

  @usableFromInline
  func writeWithLuggage(_ action: R.Action) -> GroupLetter<R> {
    let member = Company.asksSenders ? ActionChain.current?.join() : nil
    return GroupLetter(action, luggage(member))
  }

  /// Puts it into the inbox.
  @inlinable @inline(__always)
  func post(_ letter: inout GroupLetter<R>) {
    if letter.luggage == nil, let admission = inbox.admitAtOnce(letter.action) {
      letter.admission = admission
    } else {
      postWithExtras(&letter) { _ in }
    }
  }

  /// The same, calling with the action's number before anybody can take it.
  @usableFromInline
  func postWithExtras(_ letter: inout GroupLetter<R>, isAccepted: (UInt64) -> Void) {
    letter.admission = inbox.admit(
      letter.action, letter.luggage,
      letter.luggage?.member == nil ? inboxExtrasIfMade : inboxExtras, isAccepted: isAccepted)
  }

  /// Does what must not be done under the lock.
  @inlinable @inline(__always)
  func close(_ letter: consuming GroupLetter<R>) -> GroupStanding {
    if case .queued(let number) = letter.admission, letter.luggage == nil { return .sent(number) }
    return closeApart(letter)
  }

  @usableFromInline
  func closeApart(_ letter: GroupLetter<R>) -> GroupStanding {
    let standing: GroupStanding
    let kind: ActionReceipt<R>.Kind
    switch letter.admission {
    case .queued(let number): (standing, kind) = (.sent(number), .action(number))
    case .wake(let number):
      (standing, kind) = (.sent(number), .action(number))
      look(asJob: true)
    case .refused where reactor == nil: (standing, kind) = (.gone, .refused(.stopped))
    case .cancelled: (standing, kind) = (.cancelled, .refused(.senderCancelled))
    case .refused:
      (standing, kind) = (.refused(.stopped), .refused(.stopped))
      report(.actionRefused, letter.action)
    case .full:
      (standing, kind) = (.refused(.inboxFull), .refused(.inboxFull))
      report(.inboxFull, letter.action)
    }
    track(ActionReceipt(self, kind), as: letter.luggage?.member)
    return standing
  }
}
