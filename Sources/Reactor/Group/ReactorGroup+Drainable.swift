extension ReactorGroup: Drainable {
  /// Ends all members, and lets everything come to its end; see ``stop(_:within:clock:)``.
  ///
  /// **If the task is cancelled**, the time is up.
  ///
  /// - Returns: What was cut short, by member.
  @discardableResult
  nonisolated(nonsending) public func drain() async -> [AbandonedWork] {
    let stopped = stop(.drain)
    await stopped.settled
    stopped.hurry()
    return await stopped.abandoned.map { AbandonedWork($0.reactor, $0.actions) }
  }
}
