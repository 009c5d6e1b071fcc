import Reactor

/// Records of commands that have yet to be written.
struct PendingCommands: Sendable {
  /// The last record of each command, with its position in the order of the records.
  private var pending: [String: (number: Int, command: StoredCommand)] = [:]
  private var count = 0
  /// How many records of each command have been taken and are not durable yet.
  private var taken: [String: Int] = [:]
  /// The commands that have begun, and whose answers have yet to be recorded.
  private var unanswered: Set<String> = []

  mutating func add(_ command: StoredCommand) {
    if command.standing == .begun {
      unanswered.insert(command.id)
    } else {
      unanswered.remove(command.id)
    }
    let isPending = pending.removeValue(forKey: command.id) != nil
    // A command that has not been written need not be withdrawn in the journal.
    if isPending, command.standing == .withdrawn { return }
    count += 1
    pending[command.id] = (count, command)
  }

  /// No answer is expected any more.
  mutating func endRequest(_ id: String) { unanswered.remove(id) }

  /// Whether the answer to a command is still expected.
  var awaitsAnswer: Bool { !unanswered.isEmpty }

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
