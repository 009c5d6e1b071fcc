import Reactor

/// Records of commands that have yet to be written.
struct PendingCommands: Sendable {
  /// The last record of each command, with its position in the order of the records.
  private var pending: [String: (number: Int, command: StoredCommand)] = [:]
  private var count = 0
  /// How many records of each command have been taken and are not durable yet.
  private var taken: [String: Int] = [:]

  mutating func add(_ command: StoredCommand) {
    let isPending = pending.removeValue(forKey: command.id) != nil
    // A command that has not been written need not be withdrawn in the journal.
    if isPending, command.standing == .withdrawn { return }
    count += 1
    pending[command.id] = (count, command)
  }

  /// Takes all records, in order.
  mutating func takeAll() -> [StoredCommand] {
    if pending.isEmpty { return [] }
    defer { pending = [:] }
    let commands = pending.values.sorted { $0.number < $1.number }.map(\.command)
    for command in commands { taken[command.id, default: 0] += 1 }
    return commands
  }

  /// Records that a taken record is durable.
  mutating func markDurable(_ command: StoredCommand) {
    let rest = (taken[command.id] ?? 1) - 1
    taken[command.id] = rest > 0 ? rest : nil
  }

  /// Whether a record of the command has yet to become durable.
  func hasUnstored(_ id: String) -> Bool { pending[id] != nil || taken[id] != nil }
}
