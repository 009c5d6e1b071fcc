import ReactorREPL
import Readline

/// The line that is being typed, and the lines before it.
///
/// It knows the keys that most users know. Search, undo, the keys of vi and a user's own settings
/// are those of the line editor that is linked.
struct TypedLine: Equatable, Sendable {
  /// What a key has done.
  enum Result: Equatable {
    case edited
    /// Nothing; a terminal rings the bell.
    case nothing
    /// Enter.
    case entered
    /// Tab: the line has to be completed.
    case completes
    /// Ctrl-D on an empty line.
    case quits
    /// Pages turned: down if positive.
    case turns(Int)
  }

  private(set) var before = ""
  private(set) var after = ""
  private var history: [String] = []
  /// The position in the history; its count for the line being typed.
  private var place = 0
  private var draft = ""
  private var killed = ""

  var text: String { before + after }

  mutating func apply(_ key: ConsoleKey) -> Result {
    switch key {
    case .character(let character): insert("\(character)")
    case .enter: return .entered
    case .tab: return .completes
    case .pageUp: return .turns(-1)
    case .pageDown: return .turns(1)
    case .control("d") where text.isEmpty: return .quits
    case .backspace, .control("h"): return erase(last: 1)
    case .delete, .control("d"): return eraseNext()
    case .left, .control("b"): return move(by: -1)
    case .right, .control("f"): return move(by: 1)
    case .home, .control("a"): (before, after) = ("", text)
    case .end, .control("e"): (before, after) = (text, "")
    case .up, .control("p"): return recall(place - 1)
    case .down, .control("n"): return recall(place + 1)
    case .control("k"):
      guard !after.isEmpty else { return .nothing }
      (killed, after) = (after, "")
    case .control("u"):
      guard !before.isEmpty else { return .nothing }
      (killed, before) = (before, "")
    case .control("w"): return killWord()
    case .control("y"): insert(killed)
    case .control: return .nothing
    }
    return .edited
  }

  /// Inserts text at the cursor, with its line breaks.
  mutating func insert(_ text: String) { before += text }

  /// Empties the line; returns what was in it, and remembers it if it was entered.
  mutating func take(isEntered: Bool) -> String {
    let line = text
    (before, after) = ("", "")
    if isEntered { remember(line) }
    (place, draft) = (history.count, "")
    return line
  }

  mutating func remember(_ line: String) {
    if line != history.last, line.contains(where: { !$0.isWhitespace }) { history.append(line) }
    place = history.count
  }

  /// Completes the line before the cursor; returns the labels to list.
  mutating func complete(_ completer: (String) -> LineCompletion) -> [String]? {
    let completion = completer(before)
    guard let line = completion.result(in: before) else { return nil }
    before = line
    return completion.candidates.count > 1 ? completion.candidates.map(\.label) : []
  }

  private mutating func erase(last count: Int) -> Result {
    guard before.count >= count else { return .nothing }
    before.removeLast(count)
    return .edited
  }

  private mutating func eraseNext() -> Result {
    guard !after.isEmpty else { return .nothing }
    after.removeFirst()
    return .edited
  }

  private mutating func move(by count: Int) -> Result {
    if count < 0, let last = before.popLast() {
      after = "\(last)\(after)"
    } else if count > 0, !after.isEmpty {
      before.append(after.removeFirst())
    } else {
      return .nothing
    }
    return .edited
  }

  private mutating func recall(_ index: Int) -> Result {
    guard (0...history.count).contains(index) else { return .nothing }
    if place == history.count { draft = text }
    (before, after) = (index == history.count ? draft : history[index], "")
    place = index
    return .edited
  }

  private mutating func killWord() -> Result {
    var rest = before[...]
    while rest.last?.isWhitespace == true { rest.removeLast() }
    while let last = rest.last, !last.isWhitespace { rest.removeLast() }
    guard rest.count < before.count else { return .nothing }
    (killed, before) = (String(before.dropFirst(rest.count)), String(rest))
    return .edited
  }
}
