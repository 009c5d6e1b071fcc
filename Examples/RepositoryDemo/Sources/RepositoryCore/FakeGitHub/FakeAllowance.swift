import Foundation
import Synchronization

/// The rate limit of the fake: a number of requests per minute, counted as GitHub does.
///
/// Holds: the count, guarded by its own lock.
final class FakeAllowance: Sendable {
  private struct Window: Sendable {
    var end = Date(timeIntervalSince1970: 0)
    var left = 0
  }

  private let window = Mutex(Window())
  private let perMinute: Int
  private let now: @Sendable () -> Date

  init(perMinute: Int, now: @escaping @Sendable () -> Date) {
    (self.perMinute, self.now) = (perMinute, now)
  }

  /// Counts a request; returns the response if there have been too many.
  func refusal(isAlways: Bool) -> GitHubResponse? {
    let now = now()
    let end = window.withLock { window -> Date? in
      if window.end <= now { window = Window(end: now.addingTimeInterval(60), left: perMinute) }
      window.left -= 1
      return window.left < 0 ? window.end : nil
    }
    guard let end = isAlways ? now.addingTimeInterval(20) : end else { return nil }
    return GitHubResponse(
      status: 403,
      headers: [
        "x-ratelimit-remaining": "0",
        "x-ratelimit-reset": "\(Int(end.timeIntervalSince1970.rounded(.up)))",
      ])
  }
}
