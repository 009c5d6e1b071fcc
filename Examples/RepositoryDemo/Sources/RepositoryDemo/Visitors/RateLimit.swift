import Hummingbird
import NIOCore
import Synchronization

/// Limits the rate of requests by address: a burst, and then a number per second.
///
/// Holds: the buckets, guarded by its own lock; never more than a hundred thousand.
final class RateLimit: Sendable {
  private struct Bucket: Sendable {
    var left: Double
    var since: ContinuousClock.Instant
  }

  private let buckets = Mutex<[String: Bucket]>([:])
  private let perSecond: Double
  private let burst: Double

  init(perSecond: Double, burst: Double) { (self.perSecond, self.burst) = (perSecond, burst) }

  func allows(_ address: String, at now: ContinuousClock.Instant = .now) -> Bool {
    buckets.withLock { buckets in
      if buckets.count >= 100_000 {
        let (perSecond, burst) = (perSecond, burst)
        buckets = buckets.filter { $0.value.left + Self.gain($0.value, now, perSecond) < burst }
        // All buckets are in use: it starts over with none.
        if buckets.count >= 100_000 { buckets = [:] }
      }
      var bucket = buckets[address] ?? Bucket(left: burst, since: now)
      bucket.left = min(burst, bucket.left + Self.gain(bucket, now, perSecond))
      bucket.since = now
      defer { buckets[address] = bucket }
      guard bucket.left >= 1 else { return false }
      bucket.left -= 1
      return true
    }
  }

  private static func gain(
    _ bucket: Bucket, _ now: ContinuousClock.Instant, _ perSecond: Double
  ) -> Double { bucket.since.duration(to: now) / .seconds(1) * perSecond }
}

/// The context of a request.
struct DemoContext: RequestContext, RemoteAddressRequestContext {
  var coreContext: CoreRequestContextStorage
  let remoteAddress: SocketAddress?

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    remoteAddress = source.channel.remoteAddress
  }

  var address: String { remoteAddress?.ipAddress ?? "nobody" }
}
