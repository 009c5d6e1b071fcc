public import ReactorRuntime
public import Synchronization

/// Starts the task of an effect.
///
/// The loops run once. See ``SimulatedExecutor/isNever`` for their purpose. See
/// ``PipelineTasks/makeOrdinary(_:)`` for why the task may throw, though it does not.
extension EffectRun {
  /// Starts an effect outside the reactor's isolation.
  @inlinable
  func startOffReactor(isClean: Bool, with priority: TaskPriority?) -> EffectTask {
    guard isClean, !SimulatedExecutor.isAny else { return startOffReactorDetached(with: priority) }
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
      ImmediateStart.isAvailable
    else { return startOffReactorDetached(with: nil) }
    while true {
      let task = EffectTask.immediate { () async throws -> Void in await self.runToEnd() }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @inlinable @inline(never)
  func startOffReactorDetached(with priority: TaskPriority?) -> EffectTask {
    guard priority == nil, PipelineTasks.areOrdinary,
      #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isAvailable
    else {
      return PipelineTasks.effect(priority) { () async throws -> Void in await self.runToEnd() }
    }
    while true {
      let task = EffectTask.immediateDetached { () async throws -> Void in await self.runToEnd() }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @inlinable @inline(__always)
  func runToEnd() async {
    // Not with `take()`, which would reabstract it for a generic parameter.
    guard let body else { return }
    self.body = nil
    taskAddress.store(TaskAddress.current ?? 0, ordering: .relaxed)
    let ending: EffectEnding
    do {
      if let context {
        try await context.run({ try await body(emitter) }, isolation: nil)
      } else {
        try await body(emitter)
      }
      ending = .finished
    } catch {
      ending = .failed(error)
    }
    if !buffer(ending), !owner.endsOffReactor(self, ending) { await owner.ended(self, ending) }
  }
}

extension Reactor {
  /// Starts an effect that uses the reactor: the task is isolated to it, as the effect's body is.
  @inlinable
  func startOnReactor(
    _ run: EffectRun<Engine<Self>>, isClean: Bool, with priority: TaskPriority?
  ) -> EffectTask {
    guard isClean, !SimulatedExecutor.isAny else {
      return startOnReactorDetached(run, with: priority)
    }
    guard #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *),
      ImmediateStart.isAvailable
    else { return startOnReactorDetached(run, with: nil) }
    while true {
      let task = EffectTask.immediate { () async throws -> Void in await self.runToEnd(run) }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @inlinable @inline(never)
  func startOnReactorDetached(
    _ run: EffectRun<Engine<Self>>, with priority: TaskPriority?
  ) -> EffectTask {
    guard priority == nil, PipelineTasks.areOrdinary,
      #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *), ImmediateStart.isAvailable
    else {
      return PipelineTasks.effect(priority) { () async throws -> Void in await self.runToEnd(run) }
    }
    while true {
      let task = EffectTask.immediateDetached { () async throws -> Void in await self.runToEnd(run)
      }
      if !SimulatedExecutor.isNever { return task }
    }
  }

  @inlinable @inline(__always)
  func runToEnd(_ run: EffectRun<Engine<Self>>) async {
    // Not with `take()`, which would reabstract it for a generic parameter.
    guard let body = run.body else { return }
    run.body = nil
    run.taskAddress.store(TaskAddress.current ?? 0, ordering: .relaxed)
    do {
      if let context = run.context {
        // A closure stays on the reactor only if it uses it. Otherwise the effect would leave its
        // turn at its end.
        let stream = MutationStream<Mutation>(.run(body))
        try await context.run(
          { try await stream.run(into: run.emitter, isolation: self) }, isolation: self)
      } else {
        try await body(run.emitter)
      }
      run.owner.ended(run, .finished, on: self)
    } catch {
      run.owner.ended(run, .failed(error), on: self)
    }
  }
}

/// A mutation that an effect emits waits until a hook has passed it on.
extension EffectRun: PendingMutationSource {}

/// Calls ``Engine/reduceEmitted(_:of:on:)`` for a caller that is on the reactor, which the compiler
/// does not know.
///
/// `assumeIsolated` would create two closures for each mutation, and query the executor.
///
/// Guard: the emitter's isolation has been compared with the reactor. What is cast is a function
/// whose isolation is one of its arguments, which is passed like any other; it captures nothing,
/// and the structs around it prevent it from being reabstracted for a generic parameter. Debug
/// builds check the executor nevertheless.
@usableFromInline
struct IsolatedReducing<R: Reactor> {
  @usableFromInline typealias Run = EffectRun<Engine<R>>

  @usableFromInline
  struct Nonisolated {
    @usableFromInline let call: (R.Mutation, Run, R) -> Void
  }

  @usableFromInline let call: (R.Mutation, Run, isolated R) -> Void

  @inlinable
  init(call: @escaping (R.Mutation, Run, isolated R) -> Void) { self.call = call }

  @inlinable
  static func reduce(_ mutation: R.Mutation, of run: Run, on reactor: R) {
    #if DEBUG
      reactor.preconditionIsolated()
    #endif
    let isolated = IsolatedReducing { mutation, run, reactor in
      run.owner.reduceEmitted(mutation, of: run, on: reactor)
    }
    unsafeBitCast(isolated, to: Nonisolated.self).call(mutation, run, reactor)
  }
}
