/// An error that is an answer rather than a problem: how an effect says no.
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
/// Thrown out of an effect, it ends the action's work as any error does: what had been emitted
/// stands, the outcome is ``ActionOutcome/failed(_:)`` with it, and the reactor goes on. But
/// nothing is reported, since nothing went wrong; logs, metrics and traces say *declined* instead
/// of *failed*. Whether it is shown is the author's affair: emit a mutation before it is thrown.
///
/// It is asked of the error that leaves the effect: one that `retry` gives up with counts as well,
/// one inside of another error does not. An error of which some cases are problems is two types.
public protocol ExpectedError: Error {}
