import HTTPTypes
import Hummingbird

extension Router {
  /// Refuses all other methods at these paths, and names the allowed ones.
  ///
  /// GET implies HEAD, which the router derives.
  func allow(_ methods: HTTPRequest.Method..., at paths: RouterPath...) {
    let allowed: [HTTPRequest.Method] = methods.flatMap { $0 == .get ? [$0, .head] : [$0] }
    let fields: HTTPFields = [.allow: allowed.map(\.rawValue).joined(separator: ", ")]
    let known: [HTTPRequest.Method] = [.get, .head, .post, .put, .patch, .delete, .options]
    for path in paths {
      for method in known where !allowed.contains(method) {
        on(path, method: method) { _, _ -> Response in
          throw HTTPError(.methodNotAllowed, headers: fields)
        }
      }
    }
  }
}
