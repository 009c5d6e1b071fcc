import Reactor
import Readline

/// Turns a line that begins with `search` into searches while it is being typed.
///
/// Holds: `state`, guarded by its own lock.
final class TypedSearch: Sendable {
  private struct State {
    /// What was last searched for with Enter.
    var settled = ""
    /// What the list shows instead, while it is being typed.
    var shown: String?
  }

  private let state = Guarded(State())

  /// The line was entered: that is what is searched for until the next one.
  func settle(on words: String) { state.withLock { $0 = State(settled: words) } }

  /// What to do about the line as it reads now, if anything.
  func hear(_ edit: LineEdit) -> TaskListReactor.Action? {
    switch edit {
    case .changed(let line): state.withLock { Self.look(for: Self.words(in: line), &$0) }
    case .dropped: state.withLock { Self.look(for: nil, &$0) }
    // The command itself comes next.
    case .entered: nil
    }
  }

  private static func look(for words: String?, _ state: inout State) -> TaskListReactor.Action? {
    guard let words else {
      defer { state.shown = nil }
      return state.shown == nil ? nil : .search(state.settled)
    }
    guard words != state.shown ?? state.settled else { return nil }
    state.shown = words
    return .type(search: words)
  }

  /// What a line searches for; `nil` if it does something else.
  private static func words(in line: String) -> String? {
    guard let words = try? ShellWords.split(line), words.count > 1,
      words[0].text.lowercased() == "search",
      case .search(let text)? = try? ListCommand(line: line)
    else { return nil }
    return text
  }
}
