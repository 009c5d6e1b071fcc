import ReactorRuntime

/// Runs two things at the same time and takes the one that ends first; the other is cancelled.
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
/// **Runs** both as child tasks, on the reactor where they use it. An error is an end, too. The
/// loser has ended when this returns: it must heed its cancellation. **If the task is cancelled**,
/// both are.
///
/// **Events** that come to nothing are not lost. Once a side has ended, the other one takes none
/// from an ``EventStream`` any more, and an event that it returns, as it is or in an enum's case, a
/// tuple or a struct, becomes its stream's next one again. (Of a type that is `Equatable`, an equal
/// value is the event.) So act on what a side returns after the race, not in the side. What a side
/// has taken and does not return, because it throws say, stays taken; so does what it returns in an
/// array, and what it has taken before it took again, or in a task of its own. Other sequences, an
/// `AsyncStream` say, take nothing back: what the loser has taken from one of them is lost.
///
/// For more than two, and for waiting for all, there are task groups and `async let`.
///
/// - Parameters:
///   - first: Started first.
///   - second: Started second.
///   - isolation: Where the caller runs; leave it out.
/// - Returns: What the first one to end returned.
/// - Throws: What the first one to end threw.
public func race<Success: Sendable>(
  @_inheritActorContext @_implicitSelfCapture
  _ first: sending @escaping @isolated(any) @Sendable () async throws -> Success,
  @_inheritActorContext @_implicitSelfCapture
  or second: sending @escaping @isolated(any) @Sendable () async throws -> Success,
  isolation: isolated (any Actor)? = #isolation
) async throws -> Success {
  let (one, other) = RaceSide.opposed()
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

/// Begins a side in place, where its isolation is the caller's or none.
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
