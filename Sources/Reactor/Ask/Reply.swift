/// Answers an ask: the action carries it, and the reactor calls it once, with the answer.
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
/// It can be copied, kept in the state, and passed to another reactor. Each copy can answer; the
/// first answer counts.
///
/// **Runs on** any thread, without `await`.
///
/// **Failure**: if the last copy is released without an answer, the ask throws an ``AskError``,
/// whose reason is how the action ended. While an effect of the action runs, the pipeline has a
/// copy, in the action itself.
///
/// **Equality**: every reply equals every other, so an action or a state that contains one is
/// `Equatable` by its other parts. Neither its `description` nor a `dump` shows anything of it.
///
/// **Encoded**, it is an identifier, by which the original can be found again; see ``ReplyReturn``.
/// A reply must not be part of a mutation that is kept in a journal.
public struct Reply<Value: Sendable>: Sendable {
  let token: ReplyToken

  @usableFromInline
  init(_ token: ReplyToken) { self.token = token }

  /// Answers the ask.
  ///
  /// Only the first answer has an effect. A second one is reported, and has no effect. An answer
  /// has no effect either once the ask no longer waits, for example because its task was cancelled.
  ///
  /// - Parameter value: The answer.
  public func callAsFunction(_ value: Value) { token.ask.answer(.success(value)) }

  /// Answers with an error, which the `ask` throws unchanged.
  ///
  /// - Parameter error: Why there is no value.
  public func callAsFunction(throwing error: any Error) { token.ask.answer(.failure(error)) }
}

extension Reply where Value == Void {
  /// Answers that the work is done.
  public func callAsFunction() { callAsFunction(()) }
}

extension Reply {
  /// Creates a reply without an ask: its answer is passed to a function, once.
  ///
  /// For tests of a single action, and for code that forwards answers elsewhere.
  ///
  /// ```swift
  /// let answers = Log<Result<Int, any Error>>()
  /// room.send(.reserve(2, Reply { answers.append($0) }))
  /// ```
  ///
  /// - Parameter isAnswered: Called once, on any thread: with the answer, or with an ``AskError``
  ///   if the last copy was released without one.
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
  /// A value in the type of the reply that it was given to.
  @usableFromInline
  static func value<Value>(_ answer: any Sendable, as type: Value.Type = Value.self) -> Value {
    guard let value = answer as? Value else {
      preconditionFailure("an answer of another type than its reply's")
    }
    return value
  }
}

extension Reply: Hashable {
  /// Always true: a reply does not take part in comparisons of actions.
  ///
  /// - Parameters:
  ///   - left: A reply.
  ///   - right: Another reply.
  /// - Returns: True.
  public static func == (left: Reply, right: Reply) -> Bool { true }

  /// Feeds nothing to the hasher.
  ///
  /// - Parameter hasher: The hasher.
  public func hash(into hasher: inout Hasher) {}
}

extension Reply: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The name of its type, and nothing else.
  public var description: String { "Reply<\(Value.self)>" }

  /// The name of its type, and nothing else.
  public var debugDescription: String { description }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
