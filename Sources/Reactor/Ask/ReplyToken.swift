public import Synchronization

/// What all copies of a reply share: the answer, or who waits for it.
///
/// When it goes, the last copy has.
///
/// It knows no type of value: an object of a generic class is let go by code that has to look up
/// its types. See ``AnswerRoom`` for where the value lies.
///
/// `@unchecked`. Guard of every field that varies: the lock of `standing`; of `isPlain` also
/// whoever has the only copy. Whoever waits is told outside it.
@usableFromInline
final class ReplyToken: @unchecked Sendable {
  @usableFromInline
  enum Standing: Sendable {
    /// Not answered, and nobody waits as yet: the asker has the reactor take its action first.
    case open
    /// Answered, and the asker has yet to look: the value is in the room.
    case filled
    /// The same with an error.
    case failed(any Error)
    /// Answered, and all is said.
    case answered
    case awaited(AskWaiter)
  }

  @usableFromInline let standing = Guarded(Standing.open)
  @exclusivity(unchecked) @usableFromInline var room = AnswerRoom()
  /// The action's number, once that is known.
  @exclusivity(unchecked) @usableFromInline var number: UInt64?
  /// Who was asked, once there may be somebody who answers again; weakly, since the reply may stand
  /// in that reactor's state.
  @exclusivity(unchecked) @usableFromInline weak var asked: (any AskedPipeline)?
  /// How often it has been answered again before that was known.
  @exclusivity(unchecked) @usableFromInline var again = 0
  /// Whether there is something to take; written under the lock of `standing`.
  @usableFromInline let hasAnswer = Atomic(false)
  /// Whether it has been needed for nothing but one answer.
  @exclusivity(unchecked) @usableFromInline var isPlain = true
  /// By which it is known as data; made when it is first needed.
  @exclusivity(unchecked) @usableFromInline var id: ReplyID?

  @inlinable
  init() {}

  /// For a reply that tells somebody who does not wait.
  init(_ waiter: AskWaiter) {
    standing.withLock { $0 = .awaited(waiter) }
  }

  @inlinable
  deinit {
    let waiter = standing.withLock { standing -> AskWaiter? in
      if case .awaited(let waiter) = standing { waiter } else { nil }
    }
    waiter?.end(.released)
  }

  // MARK: Answering

  /// What an answer finds.
  @usableFromInline
  enum Place: Sendable {
    /// The asker has yet to look.
    case taken
    /// The asker waits.
    case waiter(AskWaiter)
    /// It has been answered.
    case none
  }

  @inlinable
  func answer<Value: Sendable>(with value: Value) {
    let place = standing.withLock { standing -> Place in
      switch standing {
      case .open:
        room.put(value)
        standing = .filled
        hasAnswer.store(true, ordering: .releasing)
        return .taken
      case .awaited(let waiter):
        standing = .answered
        return .waiter(waiter)
      case .filled, .failed, .answered: return .none
      }
    }
    switch place {
    case .taken: break
    case .waiter(let waiter): waiter.answer(value)
    case .none: answeredTwice()
    }
  }

  @usableFromInline
  func answer(throwing error: any Error) {
    let place = standing.withLock { standing -> Place in
      switch standing {
      case .open:
        standing = .failed(error)
        hasAnswer.store(true, ordering: .releasing)
        return .taken
      case .awaited(let waiter):
        standing = .answered
        return .waiter(waiter)
      case .filled, .failed, .answered: return .none
      }
    }
    switch place {
    case .taken: break
    case .waiter(let waiter): waiter.end(.failed(error))
    case .none: answeredTwice()
    }
  }

  @usableFromInline
  func answeredTwice() {
    let (asked, number) = standing.withLock { _ -> ((any AskedPipeline)?, UInt64?) in
      if self.asked == nil { again += 1 }
      isPlain = false
      return (self.asked, self.number)
    }
    asked?.answeredTwice(number)
  }

  // MARK: The asker's

  /// Whether there is something to take.
  @inlinable var isAnswered: Bool { hasAnswer.load(ordering: .acquiring) }

  /// Takes what there is, once.
  ///
  /// - Parameter isOurs: Whether nobody else has a copy: then it is as new.
  /// - Returns: The answer.
  @inlinable
  func take<Value: Sendable>(renewing isOurs: Bool = false) -> Result<Value, any Error> {
    standing.withLock { standing -> Result<Value, any Error> in
      let before = standing
      standing = isOurs ? .open : .answered
      if isOurs { hasAnswer.store(false, ordering: .relaxed) }
      if case .failed(let error) = before { return .failure(error) }
      return .success(room.take(Value.self))
    }
  }

  /// Has the asker told from here on, unless there is something to take.
  func beginWaiting(_ number: UInt64, of asked: any AskedPipeline) -> AskWaiter? {
    standing.withLock { standing in
      guard case .open = standing else { return nil }
      self.asked = asked
      self.number = number
      isPlain = false
      let waiter = AskWaiter()
      standing = .awaited(waiter)
      return waiter
    }
  }

  /// Nobody waits: what comes is not wanted, unless it is there to be taken.
  ///
  /// - Returns: Whether nothing is.
  @usableFromInline
  func abandon() -> Bool {
    standing.withLock { standing -> Bool in
      guard case .open = standing else { return false }
      standing = .awaited(AskWaiter.over)
      return true
    }
  }

  /// Says who was asked, to those who still have a copy.
  @usableFromInline
  func isOf(_ asked: any AskedPipeline, _ number: UInt64) {
    let again = standing.withLock { _ in
      self.asked = asked
      self.number = number
      isPlain = false
      defer { self.again = 0 }
      return self.again
    }
    for _ in 0..<again { asked.answeredTwice(number) }
  }

  /// By which it is known as data.
  func knownID() -> ReplyID {
    standing.withLock { _ in
      let known = id ?? ReplyID()
      id = known
      isPlain = false
      return known
    }
  }
}

extension ReplyToken {
  /// Those that nobody has any more, of the whole process: an ask that is answered at once needs no
  /// new one then, and no reactor keeps one for an ask that may never come.
  private static let spare = SpareObjects<ReplyToken>()

  // Calls, so that an ask is short enough to be inlined where it stands.

  @usableFromInline
  static func takeSpare(for core: AnyObject) -> ReplyToken? { spare.take(for: core) }

  @usableFromInline
  static func keepSpare(_ token: ReplyToken, for core: AnyObject) {
    spare.keep(token, for: core)
  }
}
