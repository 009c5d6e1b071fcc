import Foundation
import RepositoryCore

/// Error messages for visitors, with what they can do.
enum Failures {
  static let file = #fileID

  static func title(_ error: GitHubError) -> String {
    switch error {
    case .offline: "There is no way to GitHub."
    case .slow: "GitHub takes too long to answer."
    case .response(let status): "GitHub answered with an error (\(status))."
    case .unreadable: "GitHub's answer could not be read."
    case .rateLimited: "GitHub has been asked too often."
    case .notFound: "There is no such repository."
    }
  }

  /// The end of a rate limit, which a script converts to local time.
  static func until(_ error: GitHubError) -> HTML {
    guard case .rateLimited(let date) = error else { return .none }
    let seconds = Int(date.timeIntervalSince1970)
    return """
       It answers again at <time data-time="\(seconds)">\(Formats.time(date)) UTC</time>.
      """
  }

  static func view(_ failure: RepositoriesState.Failure, of list: ListName) -> HTML {
    let again: HTML =
      failure.isRetrying
      ? """
      <span class="quiet">Trying again by itself, \(failure.attempts) of 5.</span>
      <button class="small" form="act" formaction="/actions/stop-retrying" \
      name="list" value="\(list.rawValue)" id="stop">Stop</button>
      """
      : """
      <button class="small" form="act" formaction="/actions/retry" name="list" \
      value="\(list.rawValue)" id="retry">Try again</button>
      """
    let isNoUser = list == .own && failure.error == .notFound
    let title = isNoUser ? "GitHub has no user of this name." : title(failure.error)
    let kind = failure.error.isNetwork ? "network" : "answer"
    return """
      <p class="failure \(kind)" role="alert"><span><b>\(title)</b>\
      \(until(failure.error))</span> \(again)</p>
      """
  }
}
