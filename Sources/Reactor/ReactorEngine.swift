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
    workInPlace = { $0.pipeline.core.workInPlace(on: $0) }
  }
}

extension Reactor {
  /// The engine of a reactor that is not journaled.
  @inlinable public static var _engine: _ReactorEngine<Self> { _ReactorEngine(isJournaled: false) }

  /// Whether a journal keeps the mutations of reactors of this type.
  @inlinable
  package static var isJournaled: Bool { _engine.isJournaled }
}
