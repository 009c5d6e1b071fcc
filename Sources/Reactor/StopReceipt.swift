/// What ``Reactor/stop(_:)`` returns: the way to wait for the end, and to learn what it cut short.
///
/// It knows no type of reactor, so that any are stopped alike:
///
/// ```swift
/// let stopped = reactors.map { $0.stop(.drain) }  // [any Reactor]
/// try await clock.sleep(for: .seconds(5))
/// let late = stopped.count { !$0.isSettled }
/// ```
///
/// It does not keep the reactor alive, and can be copied and sent anywhere.
public struct StopReceipt: Sendable {
  let core: any EngineAccess
  /// Which of the reactor's lives ends.
  let life: UInt32

  /// Waits until everything has ended: the streams, and every effect, also one that was cancelled.
  ///
  /// Returns early if the waiting task is cancelled; the reactor ends all the same. An effect of
  /// this reactor that waits for it waits for ever.
  ///
  /// **Runs on** the caller's executor.
  nonisolated(nonsending) public var settled: Void {
    get async { await core.waitUntilAllSettled(in: life) }
  }

  /// Whether everything has ended.
  ///
  /// **Runs on** any thread, without `await`.
  public var isSettled: Bool { core.isEverythingSettled(in: life) }

  /// Waits until the reactor has cancelled what it cancels, and returns what that was: of the
  /// reactor itself and of each of its children, the actions whose effects ran, and those that
  /// waited in a lane.
  ///
  /// Empty where a drain has come to its end, and where the reactor was gone before. What a hook
  /// held is not among them; it is reported. After a restart the list is kept until the next stop.
  ///
  /// Waits on, whether or not the waiting task is cancelled: unless the reactor drains, that is not
  /// for long.
  ///
  /// **Runs on** the caller's executor.
  nonisolated(nonsending) public var abandoned: [AbandonedWork] {
    get async {
      let actions = await core.abandoned(in: life)
      let own = actions.isEmpty ? [] : [AbandonedWork(core.identity, actions)]
      return await own + core.abandonedByFollowers()
    }
  }

  /// Ends a drain as ``Reactor/stop(_:)`` called again would, but no life that has begun since.
  package func hurry() { core.hurry(life) }
}
