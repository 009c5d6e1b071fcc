/// An error with which an effect declines a request: an answer, not a problem.
///
/// ```swift
/// enum BookingRefusal: ExpectedError { case soldOut, closed }
///
/// case .book(let seats):
///   return .run { emit in
///     guard try await service.reserve(seats) else { throw BookingRefusal.soldOut }
///     await emit(.booked(seats))
///   }
/// ```
///
/// ```swift
/// switch await office.outcome(of: .book(seats: 2)) {
/// case .finished: .ok
/// case .failed(let refusal as BookingRefusal): .conflict("\(refusal)")
/// …
/// ```
///
/// Thrown from an effect, it ends the action's work as any error does: the mutations that were
/// emitted remain, the outcome is ``ActionOutcome/failed(_:)`` with the error, and the reactor
/// continues. But nothing is reported, since nothing went wrong. Logs, metrics and traces record
/// *declined* instead of *failed*. To show it in the state, emit a mutation before you throw it.
///
/// Only the error that leaves the effect is checked. An error that `retry` gives up with counts as
/// well; one inside another error does not. If only some cases of an error are answers, split it
/// into two types.
public protocol ExpectedError: Error {}
