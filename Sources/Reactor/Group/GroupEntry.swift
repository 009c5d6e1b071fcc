/// A member as its group keeps it: what is done with an action for it, made where the reactor's
/// type is known.
@usableFromInline
final class GroupEntry<Action: Sendable>: Sendable {
  @usableFromInline let member: GroupMember
  @usableFromInline let seat: GroupSeat
  /// How much room a letter to this member takes.
  @usableFromInline let room: Int
  /// Asks whether the member wants the action, and writes what it gets.
  @usableFromInline let write: @Sendable (Action, UnsafeMutableRawPointer) -> Bool
  /// Under the lock.
  @usableFromInline let post: @Sendable (UnsafeMutableRawPointer) -> Void
  /// After it; the room is free then.
  @usableFromInline let close: @Sendable (UnsafeMutableRawPointer) -> GroupStanding
  /// Takes the letter out, for one that has to wait or has to be told about.
  @usableFromInline let box: @Sendable (UnsafeMutableRawPointer) -> GroupDelivery
  /// Under the lock: looks whether the member could accept, and posts if that is decided.
  @usableFromInline let hold: @Sendable (UnsafeMutableRawPointer, (Bool) -> Bool) -> Void
  @usableFromInline let kept: (any Reactor)?

  @inlinable
  init<R: Reactor>(
    _ core: PipelineCore<R>, _ seat: GroupSeat, keeping kept: R?,
    map: @escaping @Sendable (Action) -> R.Action?
  ) {
    let member = GroupMember(of: core)
    self.member = member
    self.seat = seat
    self.kept = kept
    room = LetterRoom.size(of: GroupLetter<R>.self)
    write = { action, room in
      guard let action = map(action) else { return false }
      LetterRoom.put(core.write(action), at: room)
      return true
    }
    post = { room in core.post(&LetterRoom.letter(at: room, of: GroupLetter<R>.self).pointee) }
    close = { room in core.close(LetterRoom.letter(at: room, of: GroupLetter<R>.self).move()) }
    hold = { room, decide in
      core.hold(LetterRoom.letter(at: room, of: GroupLetter<R>.self), decide)
    }
    box = { room in
      GroupDelivery(
        core, member, seat, LetterRoom.letter(at: room, of: GroupLetter<R>.self).move())
    }
  }
}
