public import Reactor

extension ReactorRegistry: Drainable {
  /// Ends all reactors, and lets everything come to its end; see ``stop(_:within:)``.
  ///
  /// **If the task is cancelled**, the time is up.
  ///
  /// - Returns: What was cut short, by key; what was still being made is in it, too.
  @discardableResult
  nonisolated(nonsending) public func drain() async -> [AbandonedWork] { await stop(.drain) }
}
