#if DEBUG
  public import Synchronization
#endif

/// Whether tasks begin in place, as `Task.immediate` has them do.
///
/// Apple's systems before version 26 have no such tasks; there, what would begin in place begins a
/// little later, and comes to its reactor by itself. It can neither be compiled nor run on Linux,
/// where tests have a debug build do without, to run what is left.
@usableFromInline
package enum ImmediateStart {
  #if DEBUG
    /// Set by tests, in a process of their own.
    @usableFromInline package static let isWithheld = Atomic(false)

    @inlinable static var isThere: Bool { !isWithheld.load(ordering: .relaxed) }
  #else
    @inlinable static var isThere: Bool { true }
  #endif
}
