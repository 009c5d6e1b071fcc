@testable import Reactor

extension Engine {
  /// Whether any ask is open.
  var hasOpenAsks: Bool {
    ledger.hasOutcomeRequests || rareIfMade { !$0.asks.isEmpty } == true
  }
}
