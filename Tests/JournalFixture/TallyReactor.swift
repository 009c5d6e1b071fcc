public import Reactor
public import ReactorJournal

/// Counts what many senders have sent, each of them in order.
public actor TallyReactor: Reactor, JournaledReactor {
  /// A number of one of the senders.
  public struct Added: Codable, Sendable, Equatable {
    /// Who has sent it.
    public let sender: Int
    /// The number.
    public let number: Int

    /// - Parameters:
    ///   - sender: Who has sent it.
    ///   - number: The number.
    public init(sender: Int, number: Int) { (self.sender, self.number) = (sender, number) }
  }

  public typealias Action = Added
  public typealias State = [Int: [Int]]

  public static let journalName = "tally"
  public static let journalVersion = 1
  public static let initialState: [Int: [Int]] = [:]
  public let pipeline = Pipeline()

  public init() {}

  /// How many numbers there are.
  public static func count(_ state: State) -> Int { state.values.reduce(0) { $0 + $1.count } }

  public static func reduce(state: inout State, mutation: Added) {
    state[mutation.sender, default: []].append(mutation.number)
  }
}
