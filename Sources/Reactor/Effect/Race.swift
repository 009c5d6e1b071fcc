import ReactorRuntime

/// Runs two operations at the same time, returns the result of the first to end, and cancels the
/// other.
///
/// ```swift
/// let answer = try await race {
///   try await self.service.answer()
/// } or: {
///   try await self.clock.sleep(for: .seconds(5))
///   return nil
/// }
/// ```
///
/// For more than two, or to wait for all, use task groups and `async let`.
///
/// **Runs** both as child tasks, on the reactor if they use it.
///
/// **Order**: the losing side has ended when this returns, so it must respond to its cancellation.
///
/// **Failure**: an error ends the race like a result.
///
/// **If the task is cancelled**, both are.
///
/// **Events** that the losing side has taken are not lost. Once a side has ended, the other one
/// takes no further event from an ``EventStream``. An event that the losing side returns, as it is
/// or in an enum's case, a tuple or a struct, becomes the next one of its stream again. (If its
/// type is `Equatable`, an equal value is the event.) So act on the result after the race, not
/// inside a side.
///
/// These events stay taken: an event that a side has taken and does not return, for example because
/// it throws; one that it returns in an array; one that it took before it took another; and one
/// that it took in a task of its own. Other sequences, such as an `AsyncStream`, take nothing back:
/// an element that the losing side has taken from one of them is lost.
///
/// - Parameters:
///   - first: Started first.
///   - second: Started second.
///   - isolation: The isolation of the caller; leave it out.
/// - Returns: The result of the first to end.
/// - Throws: The error of the first to end.
public func race<Success: Sendable>(
  @_inheritActorContext @_implicitSelfCapture
  _ first: sending @escaping @isolated(any) @Sendable () async throws -> Success,
  @_inheritActorContext @_implicitSelfCapture
  or second: sending @escaping @isolated(any) @Sendable () async throws -> Success,
  isolation: isolated (any Actor)? = #isolation
) async throws -> Success {
  let (one, other) = RaceSide.makePair()
  let result = await withTaskGroup(of: RaceSide.End<Success>.self) { group in
    begin(first, as: one, in: &group, isolation: isolation)
    begin(second, as: other, in: &group, isolation: isolation)
    var result: Result<Success, any Error>?
    for await end in group {
      group.cancelAll()
      if let won = RaceSide.settle(end) { result = won }
    }
    return result
  }
  guard let result else { preconditionFailure("both sides of a race have ended, and none first") }
  return try result.get()
}

/// Starts a side in place, if its isolation is the caller's or none.
private func begin<Success: Sendable>(
  _ body: @escaping @isolated(any) @Sendable () async throws -> Success, as side: RaceSide,
  in group: inout TaskGroup<RaceSide.End<Success>>, isolation: isolated (any Actor)?
) {
  if body.isolation === isolation {
    group.addImmediateTask { await side.run(isolation: isolation, body) }
  } else {
    group.addImmediateTask { await side.run(isolation: nil, body) }
  }
}
