import Reactor

/// What has been noted of commands, and has yet to be written.
struct CommandNotes: Sendable {
  /// Of each, what was noted last, in the order of the notes.
  private var noted: [String: (number: Int, command: KeptCommand)] = [:]
  private var count = 0
  /// How many notes of each have been taken, and are not durable yet.
  private var taken: [String: Int] = [:]

  mutating func add(_ command: KeptCommand) {
    let isUnwritten = noted.removeValue(forKey: command.id) != nil
    // What has not been written need not be taken back.
    if isUnwritten, command.standing == .withdrawn { return }
    count += 1
    noted[command.id] = (count, command)
  }

  /// Takes what was noted, in order.
  mutating func takeAll() -> [KeptCommand] {
    if noted.isEmpty { return [] }
    defer { noted = [:] }
    let commands = noted.values.sorted { $0.number < $1.number }.map(\.command)
    for command in commands { taken[command.id, default: 0] += 1 }
    return commands
  }

  /// A note that was taken is durable.
  mutating func areDurable(_ command: KeptCommand) {
    let rest = (taken[command.id] ?? 1) - 1
    taken[command.id] = rest > 0 ? rest : nil
  }

  /// Whether something is known of a command that has yet to be written.
  func hasUnkept(_ id: String) -> Bool { noted[id] != nil || taken[id] != nil }
}
