import Reactor
import RepositoryCore
import Synchronization

/// A session as the registry knows it: by its name alone.
///
/// The rest is what a cookie says of it, for when it has to be made.
struct SessionKey: Hashable, Sendable {
  let session: String
  let generation: Int
  let user: LoginReactor.User?

  init(_ cookie: VisitorCookie) {
    (session, generation, user) = (cookie.session, cookie.generation, cookie.user)
  }

  static func == (one: Self, other: Self) -> Bool { one.session == other.session }
  func hash(into hasher: inout Hasher) { hasher.combine(session) }
}

typealias Sessions = ReactorRegistry<SessionKey, ShellReactor>

/// There is no room for another session.
struct SessionsFull: Error {}

/// How many sessions there may be at once: each holds a seat for as long as it lives.
///
/// Holds: the count, guarded by its own lock.
final class Seats: Sendable {
  private let taken = Mutex(0)
  let limit: Int

  init(limit: Int) { self.limit = limit }

  var count: Int { taken.withLock { $0 } }

  func take() throws(SessionsFull) -> Seat {
    let hasRoom = taken.withLock { count in
      guard count < limit else { return false }
      count += 1
      return true
    }
    guard hasRoom else { throw SessionsFull() }
    return Seat(self)
  }

  final class Seat: Sendable {
    private let seats: Seats
    fileprivate init(_ seats: Seats) { self.seats = seats }
    deinit { seats.taken.withLock { $0 -= 1 } }
  }
}
