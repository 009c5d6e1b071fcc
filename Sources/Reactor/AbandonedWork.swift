/// What was cut short when a reactor ended: which reactor, and which of its actions.
///
/// Its `description` is one line of text: `Room#7 'lobby': #3 'save', running for 5.0 seconds`.
public struct AbandonedWork: Sendable, CustomStringConvertible {
  /// Which reactor, the one that ended or a child of it; `nil` where it was still being made.
  public let reactor: ReactorIdentity?

  /// The identifier of the reactor in the registry that had it; `nil` if it was in none.
  public let id: (any Hashable & Sendable)?

  /// What was cut short, running or waiting in a lane, in the order in which it was sent.
  public let actions: [OpenAction]

  package init(
    _ reactor: ReactorIdentity?, id: (any Hashable & Sendable)? = nil, _ actions: [OpenAction]
  ) {
    self.reactor = reactor
    self.id = id
    self.actions = actions
  }

  /// The identifier as text; see ``ReportText``.
  public var key: String? { id.map { ReportText.text(of: $0) } }

  /// One line: the identifier, the reactor, and its actions.
  public var description: String {
    let key = key.map { "'\($0)'" }
    guard let reactor else { return "\(key ?? "a reactor"): still being made" }
    let name = key.map { "\($0) (\(reactor))" } ?? "\(reactor)"
    return "\(name): \(actions.map(\.description).joined(separator: "; "))"
  }
}
