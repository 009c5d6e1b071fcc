@testable import Reactor

extension Engine {
  /// Whether any ask is open.
  var hasAskers: Bool {
    ledger.hasQuestions || rareIfMade { !$0.asks.isEmpty } == true
  }
}
