import Foundation

/// Reads the trailing closure of a call from a source file, so that a printed test has it.
enum SourceClosure {
  /// Returns the lines between the braces of the closure; the indentation of all but the first is
  /// removed.
  ///
  /// - Parameters:
  ///   - name: The function that is called.
  ///   - path: The file.
  ///   - line: The line of the call, from 1 on.
  /// - Returns: `nil` if there is no such file, or the call has another form.
  static func text(calling name: String, in path: String, line: Int) -> [String]? {
    guard let source = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(line - 1) else { return nil }
    var scanner = Scanner(Array(lines[(line - 1)...].joined(separator: "\n")))
    guard scanner.skip(past: name + "("), scanner.skipToEnd(of: "(", ")"), scanner.skipBlanks("{"),
      let body = scanner.body()
    else { return nil }
    var found = body.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while found.last?.allSatisfy(\.isWhitespace) == true { found.removeLast() }
    let indents = found.dropFirst().filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
    let indent = indents.min() ?? 0
    return [found[0].trimmingCharacters(in: .whitespaces)]
      + found.dropFirst().map { String($0.dropFirst(indent)) }
  }

  /// Walks through source; the contents of strings and comments do not count.
  private struct Scanner {
    private let text: [Character]
    private var place = 0

    init(_ text: [Character]) { self.text = text }

    /// Skips to the end of a word.
    mutating func skip(past word: String) -> Bool {
      let word = Array(word)
      while place + word.count <= text.count {
        if Array(text[place..<place + word.count]) == word {
          place += word.count
          return true
        }
        place += 1
      }
      return false
    }

    /// Skips to the end of a bracket that is open.
    mutating func skipToEnd(of open: Character, _ close: Character) -> Bool {
      var depth = 1
      while place < text.count {
        if skipUncounted() { continue }
        if text[place] == open { depth += 1 }
        if text[place] == close { depth -= 1 }
        place += 1
        if depth == 0 { return true }
      }
      return false
    }

    /// Skips blanks, and the character after them.
    mutating func skipBlanks(_ next: Character) -> Bool {
      while place < text.count, text[place].isWhitespace { place += 1 }
      guard place < text.count, text[place] == next else { return false }
      place += 1
      return true
    }

    /// Returns what is before the brace that closes the one that is open.
    mutating func body() -> String? {
      let start = place
      guard skipToEnd(of: "{", "}") else { return nil }
      return String(text[start..<place - 1])
    }

    /// Skips a string or a comment that begins here.
    private mutating func skipUncounted() -> Bool {
      if has("//") {
        while place < text.count, text[place] != "\n" { place += 1 }
        return true
      }
      if has("/*") {
        while place < text.count, !has("*/") { place += 1 }
        place += 2
        return true
      }
      for quote in ["\"\"\"", "\""] where has(quote) {
        place += quote.count
        while place < text.count, !has(quote) { place += text[place] == "\\" ? 2 : 1 }
        place += quote.count
        return true
      }
      return false
    }

    private func has(_ word: String) -> Bool {
      text[place...].starts(with: word)
    }
  }
}
