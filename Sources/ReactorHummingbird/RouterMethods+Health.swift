import HTTPTypes
public import Hummingbird
public import ReactorLifecycle

extension RouterMethods {
  /// Tells a monitor how the service is: alive, and ready for requests.
  ///
  /// ```swift
  /// router.health(of: reactors)  // GET /health/live, GET /health/ready
  /// ```
  ///
  /// Alive is any process that answers: always `200`. Ready is `200` while the reactors run, and
  /// `503` before they do and from the moment on at which they drain.
  ///
  /// - Parameters:
  ///   - reactors: The reactors.
  ///   - path: Under which path.
  /// - Returns: The router.
  @discardableResult
  public func health(of reactors: ReactorService, at path: RouterPath = "health") -> Self {
    let group = group(path)
    group.get("live") { _, _ in try ActionAnswer(["status": "alive"]).response }
    group.get("ready") { _, _ in
      let phase = reactors.phase
      var answer = try ActionAnswer(["status": "\(phase)"])
      if phase != .running { answer.status = .serviceUnavailable }
      return answer.response
    }
    return self
  }
}
