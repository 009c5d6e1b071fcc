/// The result of ``Reactor/stop(_:)``: waits until the reactor has ended, and returns what was cut
/// short.
///
/// Its type does not depend on the reactor's, so reactors of any types are stopped alike:
///
/// ```swift
/// let stopped = reactors.map { $0.stop(.drain) }  // [any Reactor]
/// try await clock.sleep(for: .seconds(5))
/// let late = stopped.count { !$0.isSettled }
/// ```
///
/// It does not keep the reactor alive. It can be copied and sent to any isolation.
public struct StopReceipt: Sendable {
  let core: any EngineAccess
  /// The generation that ends: a restart begins a new one.
  let generation: UInt32

  /// Waits until everything has ended: the streams, and every effect, also one that was cancelled.
  ///
  /// **Runs on** the caller's executor.
  ///
  /// **If the waiting task is cancelled**, it returns early. The reactor still ends.
  ///
  /// An effect of this reactor must not wait for it: it would wait for ever.
  nonisolated(nonsending) public var settled: Void {
    get async { await core.waitUntilAllSettled(in: generation) }
  }

  /// Whether everything has ended.
  ///
  /// **Runs on** any thread, without `await`.
  public var isSettled: Bool { core.isEverythingSettled(in: generation) }

  /// Waits until the reactor has cancelled what it cancels, and returns that.
  ///
  /// The result has the actions whose effects ran and those that waited in a lane, of the reactor
  /// itself and of each of its children. It is empty if a drain was completed, and if the reactor
  /// had been released before. Elements that a hook held are not included; they are reported. After
  /// a restart the list is kept until the next stop.
  ///
  /// **Runs on** the caller's executor.
  ///
  /// **If the waiting task is cancelled**, it continues to wait. Unless the reactor drains, the
  /// wait is short.
  nonisolated(nonsending) public var abandoned: [AbandonedWork] {
    get async {
      let actions = await core.abandoned(in: generation)
      let abandoned = actions.isEmpty ? [] : [AbandonedWork(core.identity, actions)]
      return await abandoned + core.abandonedByFollowers()
    }
  }

  /// Cuts a drain short as a second call of ``Reactor/stop(_:)`` does, but does not affect a
  /// generation that has begun since.
  package func expedite() { core.expedite(generation) }
}
