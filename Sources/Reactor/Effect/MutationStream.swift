import ReactorRuntime

/// What an action leads to: no mutation, some at once, or an effect that emits them over time.
///
/// `.empty`, `.just` and `.of` are plain values that the pipeline reduces on the spot; only `.run`
/// starts a task.
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
/// It is an `AsyncSequence` as well, so a test can look at what `mutate` returns without a
/// pipeline. Iterated so, an emitter waits until the iterator asks for the next mutation; errors
/// are thrown; letting go of the iterator cancels the effect.
public struct MutationStream<Mutation: Sendable>: Sendable {
  /// An effect: emits mutations by calling what it is given.
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

  /// One mutation, at once.
  ///
  /// - Parameter mutation: The mutation.
  /// - Returns: A stream of it.
  @inlinable
  public static func just(_ mutation: Mutation) -> MutationStream {
    MutationStream(.just(mutation))
  }

  /// Some mutations, at once, in order.
  ///
  /// - Parameter mutations: The mutations.
  /// - Returns: A stream of them.
  @inlinable
  public static func of(_ mutations: Mutation...) -> MutationStream {
    MutationStream(.several(mutations))
  }

  /// Some mutations, at once, in order.
  ///
  /// - Parameter mutations: The mutations.
  /// - Returns: A stream of them.
  @inlinable
  public static func of(_ mutations: some Sequence<Mutation>) -> MutationStream {
    MutationStream(.several(Array(mutations)))
  }

  /// An effect: work that emits mutations while it runs.
  ///
  /// ```swift
  /// .run { emit in
  ///   await emit(.setLoading(true))
  ///   try await self.clock.sleep(for: .milliseconds(500))
  ///   await emit(.add(1))
  /// }
  /// ```
  ///
  /// **Runs on** the reactor where the body uses the reactor (`self`), and may then touch its
  /// non-`Sendable` properties without `await`; it keeps the reactor until it ends. A body that
  /// does not use the reactor, or has it `[weak self]`, runs away from it and does not keep it.
  /// Either way it starts inside the turn of its action and runs up to its first real suspension
  /// there.
  ///
  /// **If it throws**, it ends; what it emitted stands, and the error is reported with its action.
  /// `CancellationError` is not an error. **If it is cancelled**, its task is, and whatever it
  /// still emits is ignored.
  ///
  /// - Parameter effect: The body.
  /// - Returns: A stream of what it emits.
  @inlinable
  public static func run(
    @_inheritActorContext @_implicitSelfCapture _ effect: sending @escaping Effect
  ) -> MutationStream {
    MutationStream(.run(effect))
  }

  /// The elements of any async sequence, as they come.
  ///
  /// It is asked for the next element once the last one is reduced. If it throws, the effect fails.
  ///
  /// - Parameter sequence: The sequence, iterated away from the reactor.
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

  /// One stream after the other.
  ///
  /// **Runs on** the reactor as a whole if one of the streams uses it; those that do not then wait
  /// for the reactor at each `emit`.
  ///
  /// **If one fails**, those after it do not start.
  ///
  /// - Parameter streams: The streams, in order.
  /// - Returns: A stream of all their mutations.
  public static func concat(_ streams: MutationStream...) -> MutationStream { concat(streams) }

  /// One stream after the other.
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

  /// All streams at the same time, started in order.
  ///
  /// **If one fails**, the others go on; each error is reported.
  ///
  /// - Parameter streams: The streams.
  /// - Returns: A stream of all their mutations, as they come.
  public static func merge(_ streams: MutationStream...) -> MutationStream { merge(streams) }

  /// All streams at the same time, started in order.
  ///
  /// **If one fails**, the others go on; each error is reported.
  ///
  /// - Parameter streams: The streams.
  /// - Returns: A stream of all their mutations, as they come.
  public static func merge(_ streams: [MutationStream]) -> MutationStream {
    MutationStream(.tree(EffectTree(streams.map(\.part), .merge)))
  }

  /// Appends what it emits at once, if that is all, and not much: to copy many mutations for each
  /// further one would cost the square of their number.
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
