import Reactor
import ReactorComposition
import RepositoryCore
import Synchronization

/// The key of a session in the registry; only its identifier is compared.
///
/// The other fields are those of the cookie, for creating the session.
struct SessionKey: Hashable, Sendable {
  let session: String
  let generation: Int
  let user: LoginReactor.User?
  /// The address for which the session is created.
  let address: String

  init(_ cookie: VisitorCookie, from address: String) {
    (session, generation, user) = (cookie.session, cookie.generation, cookie.user)
    self.address = address
  }

  static func == (one: Self, other: Self) -> Bool { one.session == other.session }
  func hash(into hasher: inout Hasher) { hasher.combine(session) }
}

typealias Sessions = ReactorRegistry<SessionKey, ShellReactor>

/// The limit of sessions is reached: in total, or for one address.
enum SessionsFull: Error { case house, address }

/// Limits the number of sessions: each holds a seat for as long as it lives.
///
/// One address can have only a part of them, so that it cannot exclude all others. Holds: the
/// counts, guarded by its own lock.
final class Seats: Sendable {
  private struct Taken: Sendable {
    var all = 0
    var byAddress: [String: Int] = [:]
  }

  private let taken = Mutex(Taken())
  let limit: Int
  let limitOfAddress: Int

  /// - Parameters:
  ///   - limit: The number of seats.
  ///   - limitOfAddress: How many of them one address may have.
  init(limit: Int, limitOfAddress: Int = .max) {
    (self.limit, self.limitOfAddress) = (limit, limitOfAddress)
  }

  var count: Int { taken.withLock { $0.all } }

  func take(_ address: String) throws(SessionsFull) -> Seat {
    let refusal = taken.withLock { taken -> SessionsFull? in
      if taken.all >= limit { return .house }
      if taken.byAddress[address, default: 0] >= limitOfAddress { return .address }
      taken.all += 1
      taken.byAddress[address, default: 0] += 1
      return nil
    }
    if let refusal { throw refusal }
    return Seat(self, address)
  }

  private func giveBack(_ address: String) {
    taken.withLock { taken in
      taken.all -= 1
      taken.byAddress[address, default: 1] -= 1
      if taken.byAddress[address] == 0 { taken.byAddress[address] = nil }
    }
  }

  final class Seat: Sendable {
    private let seats: Seats
    private let address: String

    fileprivate init(_ seats: Seats, _ address: String) {
      (self.seats, self.address) = (seats, address)
    }

    deinit { seats.giveBack(address) }
  }
}
