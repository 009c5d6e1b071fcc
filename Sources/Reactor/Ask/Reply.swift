/// The way back to whoever asked: an action carries it, and the reactor answers with it, once.
///
/// ```swift
/// enum Action { case buy(Int, Reply<Ticket>) }
///
/// func mutate(action: Action) -> MutationStream<Mutation> {
///   switch action {
///   case .buy(let seats, let reply):
///     .run { emit in
///       let ticket = try await self.printer.print(seats)
///       await emit(.sold(ticket))
///       reply(ticket)
///     }
///   }
/// }
/// ```
///
/// It can be copied, kept in the state, and handed to another reactor: whoever has a copy may
/// answer, until somebody has. When the last copy is released without a word, the asker is told so,
/// with what became of the action as the reason; see ``AskError``. While an effect of the action
/// runs, the pipeline has a copy, in the action itself.
///
/// **Runs on** any thread, without `await`.
///
/// **Equality**: every reply equals every other, so that an action or a state with one in it is
/// `Equatable` by the rest of it. Neither its `description` nor a `dump` shows anything of it.
///
/// **As data** it is a number, by which the place that has it can be found again; see
/// ``ReplyReturn``. A reply must not be part of a mutation that is kept in a journal.
public struct Reply<Value: Sendable>: Sendable {
  let token: ReplyToken

  @usableFromInline
  init(_ token: ReplyToken) { self.token = token }

  /// Answers.
  ///
  /// The first answer is the one that counts. A second one is reported, and changes nothing. One
  /// that comes when nobody waits any more, because the asker was cancelled say, changes nothing.
  ///
  /// - Parameter value: The answer.
  public func callAsFunction(_ value: Value) { token.ask.answer(.success(value)) }

  /// Answers with an error: the asker's `ask` throws it, as it is.
  ///
  /// - Parameter error: Why there is no value.
  public func callAsFunction(throwing error: any Error) { token.ask.answer(.failure(error)) }
}

extension Reply where Value == Void {
  /// Answers that it is done.
  public func callAsFunction() { callAsFunction(()) }
}

extension Reply {
  /// A reply that nobody asked for: what becomes of it is told to a function, once.
  ///
  /// For tests of an action by itself, and for those who carry replies somewhere else.
  ///
  /// ```swift
  /// let answers = Log<Result<Int, any Error>>()
  /// room.send(.reserve(2, Reply { answers.append($0) }))
  /// ```
  ///
  /// - Parameter isAnswered: Called once, on whatever thread it happens: with the answer, or with
  ///   an ``AskError`` when the last copy has gone without one.
  public init(_ isAnswered: @escaping @Sendable (Result<Value, any Error>) -> Void) {
    token = ReplyToken(
      Ask { ending in
        guard case .answered(let answer) = ending else {
          return isAnswered(.failure(AskError(nil, nil, .released)))
        }
        isAnswered(answer.map { Ask.value($0) })
      })
  }
}

extension Ask {
  /// A value as the reply had it that it was given to.
  @usableFromInline
  static func value<Value>(_ answer: any Sendable, as type: Value.Type = Value.self) -> Value {
    guard let value = answer as? Value else {
      preconditionFailure("an answer of another type than its reply's")
    }
    return value
  }
}

extension Reply: Hashable {
  /// Always: a reply is not part of what an action says.
  ///
  /// - Parameters:
  ///   - left: A reply.
  ///   - right: Another.
  /// - Returns: True.
  public static func == (left: Reply, right: Reply) -> Bool { true }

  /// Feeds nothing to a hasher.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) {}
}

extension Reply: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Its type, and nothing else.
  public var description: String { "Reply<\(Value.self)>" }

  /// The same.
  public var debugDescription: String { description }

  /// Empty.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
