public import Reactor

extension ReactorRegistry: Drainable {
  /// Ends all reactors and waits for all their work; see ``stop(_:within:)``.
  ///
  /// **If the task is cancelled**, the time limit counts as reached.
  ///
  /// - Returns: What was cut short, by key, including reactors that were still being created.
  @discardableResult
  nonisolated(nonsending) public func drain() async -> [AbandonedWork] { await stop(.drain) }
}
