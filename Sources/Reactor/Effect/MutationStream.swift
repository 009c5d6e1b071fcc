import ReactorRuntime

/// The mutations that an action leads to: none, some at once, or those of an effect, over time.
///
/// ```swift
/// func mutate(action: Action) -> MutationStream<Mutation> {
///   switch action {
///   case .refresh:
///     .concat(
///       .just(.setLoading(true)),
///       .run { emit in await emit(.setItems(try await self.service.items())) },
///       .just(.setLoading(false)))
///   case .clear: .just(.setItems([]))
///   }
/// }
/// ```
///
/// `.empty`, `.just` and `.of` are plain values that the pipeline reduces at once; only `.run`
/// starts a task.
///
/// It is also an `AsyncSequence`, so a test can iterate what `mutate` returns without a pipeline.
/// When it is iterated so, an emitter waits until the iterator requests the next mutation, errors
/// are thrown, and releasing the iterator cancels the effect.
public struct MutationStream<Mutation: Sendable>: Sendable {
  /// An effect: emits mutations by calling its parameter.
  public typealias Effect =
    @isolated(any) @Sendable (_ emit: MutationEmitter<Mutation>) async throws -> Void

  @usableFromInline
  enum Storage: Sendable {
    case empty
    case just(Mutation)
    case several([Mutation])
    case run(Effect)
    /// Streams one after another, none of which is made of others.
    case concat([MutationStream])
    case tree(EffectTree)
  }

  @usableFromInline let storage: Storage

  @inlinable
  init(_ storage: Storage) { self.storage = storage }

  /// No mutation.
  @inlinable public static var empty: MutationStream { MutationStream(.empty) }

  /// Returns a stream of one mutation, emitted at once.
  ///
  /// - Parameter mutation: The mutation.
  /// - Returns: A stream of it.
  @inlinable
  public static func just(_ mutation: Mutation) -> MutationStream {
    MutationStream(.just(mutation))
  }

  /// Returns a stream of some mutations, emitted at once and in order.
  ///
  /// - Parameter mutations: The mutations.
  /// - Returns: A stream of them.
  @inlinable
  public static func of(_ mutations: Mutation...) -> MutationStream {
    MutationStream(.several(mutations))
  }

  /// Returns a stream of some mutations, emitted at once and in order.
  ///
  /// - Parameter mutations: The mutations.
  /// - Returns: A stream of them.
  @inlinable
  public static func of(_ mutations: some Sequence<Mutation>) -> MutationStream {
    MutationStream(.several(Array(mutations)))
  }

  /// Returns an effect: work that emits mutations while it runs.
  ///
  /// ```swift
  /// .run { emit in
  ///   await emit(.setLoading(true))
  ///   try await self.clock.sleep(for: .milliseconds(500))
  ///   await emit(.add(1))
  /// }
  /// ```
  ///
  /// **Runs on** the reactor if the body uses the reactor (`self`). It can then use the reactor's
  /// non-`Sendable` properties without `await`, and keeps the reactor alive until it ends. A body
  /// that does not use the reactor, or captures it as `[weak self]`, runs outside it and does not
  /// keep it alive. In both cases it starts inside the turn of its action and runs there up to its
  /// first real suspension.
  ///
  /// **If it throws**, it ends, the mutations that it emitted remain, and the error is reported
  /// with its action. `CancellationError` is not treated as an error.
  ///
  /// **If it is cancelled**, its task is cancelled, and mutations that it emits later are ignored.
  ///
  /// - Parameter effect: The body.
  /// - Returns: A stream of its mutations.
  @inlinable
  public static func run(
    @_inheritActorContext @_implicitSelfCapture _ effect: sending @escaping Effect
  ) -> MutationStream {
    MutationStream(.run(effect))
  }

  /// Returns an effect that emits the elements of an async sequence, as they come.
  ///
  /// **Order**: the next element is requested once the last one is reduced.
  ///
  /// **If the sequence throws**, the effect fails.
  ///
  /// - Parameter sequence: The sequence, iterated outside the reactor.
  /// - Returns: A stream of its elements.
  public static func from<S: AsyncSequence & Sendable>(_ sequence: S) -> MutationStream
  where S.Element == Mutation, S.AsyncIterator: SendableMetatype {
    let sequence = Nested(sequence)
    return MutationStream(
      .run { emit in
        for try await mutation in sequence.value {
          try Task.checkCancellation()
          await emit(mutation)
        }
      })
  }

  /// Runs streams one after another.
  ///
  /// **Runs on** the reactor as a whole if one of the streams uses it; those that do not then wait
  /// for the reactor at each `emit`.
  ///
  /// **If one fails**, those after it do not start.
  ///
  /// - Parameter streams: The streams, in order.
  /// - Returns: A stream of all their mutations.
  public static func concat(_ streams: MutationStream...) -> MutationStream { concat(streams) }

  /// Runs streams one after another.
  ///
  /// **Runs on** the reactor as a whole if one of the streams uses it; those that do not then wait
  /// for the reactor at each `emit`.
  ///
  /// **If one fails**, those after it do not start.
  ///
  /// - Parameter streams: The streams, in order.
  /// - Returns: A stream of all their mutations.
  public static func concat(_ streams: [MutationStream]) -> MutationStream {
    var atOnce: [Mutation] = []
    if streams.allSatisfy({ $0.append(to: &atOnce) }) { return MutationStream(.several(atOnce)) }
    let isFlat = streams.allSatisfy(\.isSimple) && streams.contains(where: \.isEffect)
    return MutationStream(
      isFlat ? .concat(streams) : .tree(EffectTree(streams.map(\.part), .concat)))
  }

  /// Runs all streams at the same time, started in order.
  ///
  /// **If one fails**, the others continue; each error is reported.
  ///
  /// - Parameter streams: The streams.
  /// - Returns: A stream of all their mutations, as they come.
  public static func merge(_ streams: MutationStream...) -> MutationStream { merge(streams) }

  /// Runs all streams at the same time, started in order.
  ///
  /// **If one fails**, the others continue; each error is reported.
  ///
  /// - Parameter streams: The streams.
  /// - Returns: A stream of all their mutations, as they come.
  public static func merge(_ streams: [MutationStream]) -> MutationStream {
    MutationStream(.tree(EffectTree(streams.map(\.part), .merge)))
  }

  /// Appends the mutations of a stream that only emits at once, if there are not many.
  ///
  /// To copy many mutations for each further one would cost the square of their number.
  ///
  /// - Returns: Whether it has.
  private func append(to mutations: inout [Mutation]) -> Bool {
    switch storage {
    case .empty: return true
    case .just(let mutation): mutations.append(mutation)
    case .several(let several) where several.count <= 64: mutations += several
    case .several, .run, .concat, .tree: return false
    }
    return true
  }

  /// Whether it is not made of others.
  private var isSimple: Bool {
    switch storage {
    case .empty, .just, .several, .run: true
    case .concat, .tree: false
    }
  }
}
