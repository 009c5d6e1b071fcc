@testable import Reactor

extension Engine {
  /// Whether any ask is open.
  var hasAskers: Bool {
    ledger.hasOutcomeRequests || rareIfMade { !$0.asks.isEmpty } == true
  }
}
