/// The actions of one reactor that were cut short when it ended.
///
/// Its `description` is one line of text: `Room#7 'lobby': #3 'save', running for 5.0 seconds`.
public struct AbandonedWork: Sendable, CustomStringConvertible {
  /// The reactor: the one that ended or a child of it; `nil` if it was still being made.
  public let reactor: ReactorIdentity?

  /// The reactor's identifier in its registry; `nil` if it was in none.
  public let id: (any Hashable & Sendable)?

  /// The actions that were cut short, running or waiting in a lane, in the order they were sent.
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

  /// One line of text: the identifier, the reactor and its actions.
  public var description: String {
    let key = key.map { "'\($0)'" }
    guard let reactor else { return "\(key ?? "a reactor"): still being made" }
    let name = key.map { "\($0) (\(reactor))" } ?? "\(reactor)"
    return "\(name): \(actions.map(\.description).joined(separator: "; "))"
  }
}
