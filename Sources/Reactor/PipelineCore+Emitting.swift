public import Synchronization

/// What becomes of the mutations that effects emit.
extension PipelineCore {
  /// Takes a mutation in place where that can be: on the reactor, or while the effect is still
  /// inside the turn of its action.
  ///
  /// - Returns: Whether it has; or where it would be, on the reactor; or that
  ///   ``deliver(_:of:isolation:)`` has to go there with it.
  @inlinable
  func takeEmitted(
    _ mutation: R.Mutation, of run: Run, from isolation: (any Actor)?
  ) -> EmittedMutation {
    let standing = run.standing.load(ordering: .acquiring)
    if standing == .cancelled { run.cancelInOpening() }
    if standing == .cancelled || standing == .endedCancelled { return .taken }
    if Self.hasMutationHook {
      // Counted here, before the effect can suspend: the turn may be waiting for it.
      run.passing.add(1, ordering: .relaxed)
      return .unacceptable
    }
    if standing == .ended { return .unacceptable }
    guard let address = run.homeAddress(ifIsolatedTo: isolation) else {
      if run.setAside(mutation) { return .taken }
      return reactor.map { .acceptable(at: $0) } ?? .unacceptable
    }
    // The effect is live, so the reactor is there, and nobody else can be at its address. Whoever
    // emits holds it for as long as that takes, so it need not be retained.
    Unmanaged<R>.fromOpaque(address)._withUnsafeGuaranteedRef {
      reduceHere(mutation, of: run, on: $0)
    }
    return .taken
  }

  /// ``reduce(_:of:on:)`` for somebody who is on the reactor, which the compiler does not know.
  ///
  /// `assumeIsolated` would make two closures for each mutation, and ask the executor.
  ///
  /// Guard: the emitter's isolation has been compared with the reactor. What is cast is a function
  /// whose isolation is one of its arguments, which is passed like any other; it captures nothing,
  /// and the structures around it keep it from being adapted to a generic parameter. Debug builds
  /// ask the executor all the same.
  @inlinable
  func reduceHere(_ mutation: R.Mutation, of run: Run, on reactor: R) {
    #if DEBUG
      reactor.preconditionIsolated()
    #endif
    let isolated = IsolatedReducing<R> { core, mutation, run, reactor in
      core.reduceEmitted(mutation, of: run, on: reactor)
    }
    unsafeBitCast(isolated, to: Reducing<R>.self).call(self, mutation, run, reactor)
  }

  @inlinable
  func deliver(
    _ mutation: R.Mutation, of run: Run, isolation: isolated (any Actor)?
  ) async {
    guard let reactor else { return }
    if Self.hasMutationHook {
      await pass(mutation, of: run, on: reactor)
    } else {
      await reduceEmitted(mutation, of: run, on: reactor)
    }
  }

  /// A part of an effect has failed, and the others go on.
  @usableFromInline
  func partFailed(_ run: Run, with error: any Error) {
    if reactor != nil { failed(run, with: error) }
  }

  // MARK: Through the hook

  /// Sends an effect's mutation through the hook, and returns once the hook has passed it on.
  @inlinable
  func pass(_ mutation: R.Mutation, of run: Run, on reactor: isolated R) async {
    readMail(on: reactor)
    switch run.standing.load(ordering: .acquiring) {
    case .live: await passEmitted(mutation, of: run, on: reactor)
    case .cancelled, .endedCancelled: break
    case .ended: report(.emittedTooLate(mutation), run.action, run.number)
    }
    run.passing.subtract(1, ordering: .relaxed)
    // The waiting turn goes on when this effect next suspends: it is resumed from here, on the
    // reactor, which the effect is about to occupy.
    run.passed?.open()
  }

  @inlinable
  func passEmitted(
    _ mutation: R.Mutation, of run: Run, on reactor: isolated R
  ) async {
    let latch = Latch()
    let context = hasCompany ? contextOfCaller() : nil
    guard let input = details.hooks?.inputs.mutations else { return }
    if !input.push(mutation, ticket: .mutation(latch, of: run, in: context)) {
      note(.reactorEnded, of: run.number)
      report(.mutationDropped(mutation), run.action, run.number)
    }
    await latch.wait()
  }
}

/// What an effect emits waits until a hook has passed it on.
extension EffectRun: HookPassenger {}

/// How an effect's mutation is reduced, on the reactor.
@usableFromInline
struct IsolatedReducing<R: Reactor> {
  @usableFromInline typealias Call = (
    PipelineCore<R>, R.Mutation, EffectRun<PipelineCore<R>>, isolated R
  ) -> Void

  @usableFromInline let call: Call

  @inlinable
  init(call: @escaping Call) { self.call = call }
}

/// ``IsolatedReducing`` for a caller whose isolation the compiler does not know.
@usableFromInline
struct Reducing<R: Reactor> {
  @usableFromInline
  let call: (PipelineCore<R>, R.Mutation, EffectRun<PipelineCore<R>>, R) -> Void
}
