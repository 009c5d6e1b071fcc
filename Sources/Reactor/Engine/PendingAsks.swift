/// The asks that wait for the answers of one reactor.
struct PendingAsks: Sendable {
  /// By their actions.
  private var asks: [UInt64: Ask] = [:]
  /// How many actions had been taken when the reactor last ended and an ask was open.
  ///
  /// No ask of an earlier action waits any more.
  private var takenAtEnd: UInt64 = 0

  var isEmpty: Bool { asks.isEmpty }
  var isUnused: Bool { asks.isEmpty && takenAtEnd == 0 }

  /// - Returns: Whether it may wait; false if the reactor has ended since it was asked.
  mutating func open(_ ask: Ask, of number: UInt64) -> Bool {
    guard number >= takenAtEnd else { return false }
    asks[number] = ask
    return true
  }

  mutating func close(_ number: UInt64) { asks[number] = nil }

  /// The reactor has ended.
  ///
  /// - Parameter taken: How many actions it has taken.
  /// - Returns: The asks that wait, in the order of their actions.
  mutating func end(afterTaking taken: UInt64) -> [Ask] {
    takenAtEnd = taken
    defer { asks = [:] }
    return asks.sorted { $0.key < $1.key }.map(\.value)
  }
}
