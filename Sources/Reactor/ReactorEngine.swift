public import ReactorRuntime

/// What the library calls on a reactor of this type, as the module compiled it that has the type.
///
/// A job may be made by code that does not know the reactor's type. What it calls here was made
/// where the type is known, so that it takes the same specialized turns as any other job.
public struct _ReactorEngine<R: Reactor>: Sendable {
  /// Whether a journal keeps the mutations.
  @usableFromInline let isJournaled: Bool

  /// Takes what waits, as far as that is possible without suspending.
  ///
  /// It returns whether that was all; if not, `drain` goes on.
  @usableFromInline let drainAtOnce: @Sendable (isolated R) -> Bool

  /// Takes the rest of what waits.
  @usableFromInline let drain: @Sendable (isolated R) async -> Void

  /// Takes what waits in the place of a job, for a caller on the reactor's executor.
  ///
  /// It returns whether there was anything.
  @usableFromInline let workInPlace: @Sendable (isolated R) -> Bool

  /// Inlinable, so that its closures are made where the type is known.
  @inlinable
  package init(isJournaled: Bool) {
    self.isJournaled = isJournaled
    drainAtOnce = { $0.pipeline.core.drainAtOnce(on: $0) }
    drain = { await $0.pipeline.core.drain(on: $0) }
    workInPlace = { reactor in
      let core = reactor.pipeline.core
      let before = core.own.taken
      core.takeBorrowed(upTo: Engine<R>.turnsAtATime, on: reactor)
      return core.own.taken != before
    }
  }

  /// Makes the job that takes what waits.
  ///
  /// It begins on a thread of the pool, from where an actor there is one step away; where the
  /// reactor runs on the main actor's executor it begins there, without waking another thread on
  /// the way.
  ///
  /// The first one of all is queued at the reactor. What waits for it comes to the reactor behind
  /// it, and one thread does both: of a reactor that is made, used once and released, two would get
  /// into each other's way, in its memory and in the allocator. Later, a task that waits had better
  /// do the job's work in place of it, which one that is queued there already would prevent.
  ///
  /// What a job does is written down for each kind of it: a function around it would have the frame
  /// that it saves.
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
