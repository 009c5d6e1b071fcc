/// What a journal knows of a request that has a key, so that it is done once, however often it
/// comes.
package struct KeptCommand: Codable, Hashable, Identifiable, Sendable {
  package enum Standing: Codable, Hashable, Sendable {
    /// Something of it may be kept.
    case begun
    /// It has come to its end; the answer, as text.
    case ended(answer: String)
    /// Nothing came of it: it may be done anew.
    case withdrawn
  }

  /// By which it is known when it comes again.
  package let id: String
  /// A hash of what it asks for.
  package let request: UInt64
  package let standing: Standing

  package init(id: String, request: UInt64, standing: Standing) {
    (self.id, self.request, self.standing) = (id, request, standing)
  }
}

/// Commands on their way to where they are kept.
///
/// From any thread, so that an answer is there before whoever waits for it goes on, and the batch
/// with its last mutation is taken.
struct CommandNotes: Sendable {
  private var commands = IdentityList<KeptCommand>()
  /// Taken, and not kept yet, in order; and how many there are of each.
  private var leaving = FIFO<String>()
  private var leavingCounts: [String: Int] = [:]

  mutating func add(_ command: KeptCommand) {
    let isUnwritten = commands.remove(command.id) != nil
    // What nobody has read of yet need not be taken back.
    if isUnwritten, command.standing == .withdrawn { return }
    commands.append(command)
  }

  mutating func takeAll() -> [KeptCommand] {
    defer { commands = IdentityList() }
    let all = commands.all
    for command in all {
      leaving.append(command.id)
      leavingCounts[command.id, default: 0] += 1
    }
    return all
  }

  /// The first of those that were taken have been kept.
  mutating func areKept(_ count: Int) {
    for id in leaving.removeFirst(count) {
      let rest = (leavingCounts[id] ?? 1) - 1
      leavingCounts[id] = rest > 0 ? rest : nil
    }
  }

  /// Whether something of a command is known that has yet to be kept.
  func hasUnkept(_ id: String) -> Bool { commands.contains(id) || leavingCounts[id] != nil }
}
