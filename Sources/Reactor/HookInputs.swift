/// The actions on their way into `transform(action:)`: an ordinary async sequence.
///
/// It never fails, ends when the reactor does, and can be iterated once: a second iterator sees
/// nothing, and that is reported. Operators of swift-async-algorithms take it as it is.
///
/// **Order**: as sent. Asking for the next action tells the pipeline that the last one has been
/// passed on; that is what receipts go by.
public struct ReactorActions<R: ReactorRequirements>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = R.Action
  /// Nothing goes wrong here.
  public typealias Failure = Never

  /// `nil` stands for the input of a hook that nobody wrote.
  @usableFromInline let channel: HookChannel<R.Action>?

  @inlinable
  init(channel: HookChannel<R.Action>?) { self.channel = channel }

  /// Starts the one iteration.
  ///
  /// - Returns: An iterator; an empty one from the second call on.
  @inlinable
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<R.Action, Never> {
    HookIterator(claiming: channel)
  }
}

/// The mutations on their way into `transform(mutation:)`: an ordinary async sequence.
///
/// It never fails, ends when the reactor does, and can be iterated once: a second iterator sees
/// nothing, and that is reported. Operators of swift-async-algorithms take it as it is.
///
/// **Order**: as emitted. Asking for the next mutation tells the pipeline that the last one has
/// been passed on; that is what `await emit(…)` waits for.
public struct ReactorMutations<R: ReactorRequirements>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = R.Mutation
  /// Nothing goes wrong here.
  public typealias Failure = Never

  /// `nil` stands for the input of a hook that nobody wrote.
  @usableFromInline let channel: HookChannel<R.Mutation>?

  @inlinable
  init(channel: HookChannel<R.Mutation>?) { self.channel = channel }

  /// Starts the one iteration.
  ///
  /// - Returns: An iterator; an empty one from the second call on.
  @inlinable
  public func makeAsyncIterator() -> some AsyncIteratorProtocol<R.Mutation, Never> {
    HookIterator(claiming: channel)
  }
}

/// The states on their way into `transform(state:)`: an ordinary async sequence.
///
/// The first element is the initial state, for the first iterator; another one begins with the
/// state at its own start. It never fails, and ends when the reactor does.
public struct ReactorStates<R: ReactorRequirements>: AsyncSequence, Sendable {
  /// The kind of element.
  public typealias Element = R.State
  /// Nothing goes wrong here.
  public typealias Failure = Never

  @usableFromInline let stream: StateStream<R.State>

  @inlinable
  init(stream: StateStream<R.State>) { self.stream = stream }

  /// Begins to iterate.
  ///
  /// - Returns: An iterator with a place of its own.
  @inlinable
  public func makeAsyncIterator() -> StateStream<R.State>.Iterator { stream.makeAsyncIterator() }
}

extension ReactorActions {
  /// Takes in actions from elsewhere, beside those that are sent.
  ///
  /// ```swift
  /// func transform(action: Actions) -> some AsyncSequence<Action, Never> {
  ///   action.merging(timer.map { .refresh })
  /// }
  /// ```
  ///
  /// **Runs on** a task of the reactor's, which ends with it; in a simulation it takes part.
  /// **Order**: of each source, its own. **Cancellation**: when the reactor ends, the other is
  /// cancelled, and what it still had is let go, unreported.
  ///
  /// - Parameter other: The sequence; asked for one element at a time.
  /// - Returns: Both, as a sequence that a further one can be merged into in the same way; it ends
  ///   when the reactor does.
  public func merging<Other: AsyncSequence<Element, Never> & Sendable>(
    _ other: Other
  ) -> _MergedInput<Element> {
    _MergedInput(channel: channel, sources: [_MergedInput<Element>.source(other)])
  }
}

extension ReactorMutations {
  /// Takes in mutations from elsewhere: what a service says, say, so that every screen agrees.
  ///
  /// ```swift
  /// func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
  ///   mutation.merging(service.events.stream().map { .apply($0) })
  /// }
  /// ```
  ///
  /// **Runs on** a task of the reactor's, which ends with it; in a simulation it takes part.
  /// **Order**: of each source, its own. **Cancellation**: when the reactor ends, the other is
  /// cancelled, and what it still had is let go, unreported.
  ///
  /// - Parameter other: The sequence; asked for one element at a time.
  /// - Returns: Both, as a sequence that a further one can be merged into in the same way; it ends
  ///   when the reactor does.
  public func merging<Other: AsyncSequence<Element, Never> & Sendable>(
    _ other: Other
  ) -> _MergedInput<Element> {
    _MergedInput(channel: channel, sources: [_MergedInput<Element>.source(other)])
  }
}
