/// The input of `transform(action:)`: an async sequence of the actions.
///
/// Operators of swift-async-algorithms accept it as it is. It can be iterated once: a second
/// iterator is empty, and that is reported.
///
/// **Order**: as sent. When the next action is requested, the pipeline knows that the previous one
/// has been passed on. Receipts depend on that.
///
/// **Failure**: it never fails, and ends when the reactor does.
public struct ReactorActions<R: ReactorRequirements>: AsyncSequence, Sendable {
  /// The type of element.
  public typealias Element = R.Action
  /// It never fails.
  public typealias Failure = Never

  /// `nil` is the input of a hook that was not written.
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

/// The input of `transform(mutation:)`: an async sequence of the mutations.
///
/// Operators of swift-async-algorithms accept it as it is. It can be iterated once: a second
/// iterator is empty, and that is reported.
///
/// **Order**: as emitted. When the next mutation is requested, the pipeline knows that the previous
/// one has been passed on. `await emit(…)` waits for that.
///
/// **Failure**: it never fails, and ends when the reactor does.
public struct ReactorMutations<R: ReactorRequirements>: AsyncSequence, Sendable {
  /// The type of element.
  public typealias Element = R.Mutation
  /// It never fails.
  public typealias Failure = Never

  /// `nil` is the input of a hook that was not written.
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

/// The input of `transform(state:)`: an async sequence of the states.
///
/// **Order**: for the first iterator, the first element is the initial state. Another iterator
/// begins with the state at its own start.
///
/// **Failure**: it never fails, and ends when the reactor does.
public struct ReactorStates<R: ReactorRequirements>: AsyncSequence, Sendable {
  /// The type of element.
  public typealias Element = R.State
  /// It never fails.
  public typealias Failure = Never

  @usableFromInline let stream: StateStream<R.State>

  @inlinable
  init(stream: StateStream<R.State>) { self.stream = stream }

  /// Starts an iteration.
  ///
  /// - Returns: An iterator with a position of its own.
  @inlinable
  public func makeAsyncIterator() -> StateStream<R.State>.Iterator { stream.makeAsyncIterator() }
}

extension ReactorActions {
  /// Merges actions from another sequence with those that are sent.
  ///
  /// ```swift
  /// func transform(action: Actions) -> some AsyncSequence<Action, Never> {
  ///   action.merging(timer.map { .refresh })
  /// }
  /// ```
  ///
  /// **Runs on** a task of the reactor, which ends with the reactor. In a simulation, that task is
  /// simulated too.
  ///
  /// **Order**: each source keeps its own order.
  ///
  /// **Cancellation**: when the reactor ends, `other` is cancelled. Elements that it still had are
  /// released and not reported.
  ///
  /// - Parameter other: The sequence; one element is requested at a time.
  /// - Returns: Both, as a sequence that a further one can be merged into in the same way. It ends
  ///   when the reactor does.
  public func merging<Other: AsyncSequence<Element, Never> & Sendable>(
    _ other: Other
  ) -> _MergedInput<Element> {
    _MergedInput(channel: channel, sources: [_MergedInput<Element>.source(other)])
  }
}

extension ReactorMutations {
  /// Merges mutations from another sequence, for example a service's events that every screen
  /// shows.
  ///
  /// ```swift
  /// func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
  ///   mutation.merging(service.events.stream().map { .apply($0) })
  /// }
  /// ```
  ///
  /// **Runs on** a task of the reactor, which ends with the reactor. In a simulation, that task is
  /// simulated too.
  ///
  /// **Order**: each source keeps its own order.
  ///
  /// **Cancellation**: when the reactor ends, `other` is cancelled. Elements that it still had are
  /// released and not reported.
  ///
  /// - Parameter other: The sequence; one element is requested at a time.
  /// - Returns: Both, as a sequence that a further one can be merged into in the same way. It ends
  ///   when the reactor does.
  public func merging<Other: AsyncSequence<Element, Never> & Sendable>(
    _ other: Other
  ) -> _MergedInput<Element> {
    _MergedInput(channel: channel, sources: [_MergedInput<Element>.source(other)])
  }
}
