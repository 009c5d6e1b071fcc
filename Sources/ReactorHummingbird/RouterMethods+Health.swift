import HTTPTypes
public import Hummingbird
public import ReactorLifecycle

extension RouterMethods {
  /// Adds two routes for a monitor: whether the service is alive, and whether it is ready for
  /// requests.
  ///
  /// ```swift
  /// router.health(of: reactors)  // GET /health/live, GET /health/ready
  /// ```
  ///
  /// A process that responds is alive: the status is always `200`. Ready is `200` while the
  /// reactors run. It is `503` before that, and from the moment at which they begin to drain.
  ///
  /// - Parameters:
  ///   - reactors: The reactors.
  ///   - path: The path of both routes.
  /// - Returns: The router.
  @discardableResult
  public func health(of reactors: ReactorService, at path: RouterPath = "health") -> Self {
    let group = group(path)
    group.get("live") { _, _ in try ActionResponse(["status": "alive"]).response }
    group.get("ready") { _, _ in
      let phase = reactors.phase
      var response = try ActionResponse(["status": "\(phase)"])
      if phase != .running { response.status = .serviceUnavailable }
      return response.response
    }
    return self
  }
}
