public import ReactorRuntime

/// What the library calls on a reactor of this type, as compiled by the module that defines the
/// type.
///
/// A job may be made by code that does not know the reactor's type. The closures here were made
/// where the type is known, so that such a job runs the same specialised turns as any other.
public struct _ReactorEngine<R: Reactor>: Sendable {
  /// Whether a journal keeps the mutations.
  @usableFromInline let isJournaled: Bool

  /// Takes waiting actions for as long as that is possible without suspending.
  ///
  /// It returns whether that was all; if not, `drain` continues.
  @usableFromInline let drainAtOnce: @Sendable (isolated R) -> Bool

  /// Takes the remaining waiting actions.
  @usableFromInline let drain: @Sendable (isolated R) async -> Void

  /// Takes waiting actions in place of a job, for a caller on the reactor's executor.
  ///
  /// It returns whether there were any.
  @usableFromInline let drainInPlace: @Sendable (isolated R) -> Bool

  /// Inlinable, so that its closures are made where the type is known.
  @inlinable
  package init(isJournaled: Bool) {
    self.isJournaled = isJournaled
    drainAtOnce = { $0.pipeline.core.drainAtOnce(on: $0) }
    drain = { await $0.pipeline.core.drain(on: $0) }
    drainInPlace = { reactor in
      let core = reactor.pipeline.core
      let before = core.turnState.taken
      core.takeInWaitingTask(upTo: Engine<R>.turnsAtATime, on: reactor)
      return core.turnState.taken != before
    }
  }

  /// Schedules the job that takes waiting actions.
  ///
  /// The job begins on a thread of the pool, one hop away from an actor there. If the reactor runs
  /// on the main actor's executor, the job begins on that executor, without waking another thread
  /// on the way.
  ///
  /// The first job of a reactor is enqueued at the reactor. Callers that wait for it are enqueued
  /// behind it, and one thread runs both. For a reactor that is made, used once and released, two
  /// threads would contend for its memory and in the allocator. Later, it is better if a waiting
  /// task does the job's work in place of it, which a job that is already enqueued there would
  /// prevent.
  ///
  /// The job's body is repeated in each branch: a shared function would have the frame that this
  /// saves.
  @inlinable
  static func makeJob(of reactor: R, isFirst: Bool) {
    if MainExecutor.runs(reactor) {
      PipelineTasks.make { @MainActor in
        if await !R._engine.drainAtOnce(reactor) { await R._engine.drain(reactor) }
      }
    } else if !PipelineTasks.areOrdinary {
      PipelineTasks.make {
        if await !R._engine.drainAtOnce(reactor) { await R._engine.drain(reactor) }
      }
    } else if isFirst {
      let makeThere = IsolatedCall<R> { reactor in
        PipelineTasks.makeOrdinary { () async throws -> Void in
          if !R._engine.drainAtOnce(reactor) { await R._engine.drain(reactor) }
        }
      }
      makeThere(for: reactor)
    } else {
      PipelineTasks.makeOrdinary { () async throws -> Void in
        if await !R._engine.drainAtOnce(reactor) { await R._engine.drain(reactor) }
      }
    }
  }
}

extension Reactor {
  /// The engine of a reactor that is not journaled.
  @inlinable public static var _engine: _ReactorEngine<Self> { _ReactorEngine(isJournaled: false) }

  /// Whether a journal keeps the mutations of reactors of this type.
  @inlinable
  package static var isJournaled: Bool { _engine.isJournaled }
}
