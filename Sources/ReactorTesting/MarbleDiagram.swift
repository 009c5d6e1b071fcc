/// A marble diagram: what happens at each tick, with time as a string.
///
/// A plain value that parses a diagram, and draws several diagrams below each other.
struct MarbleDiagram: Equatable, Sendable {
  /// What happens at a tick, as characters; `nil` is a value without a character.
  typealias Tick = [Character?]

  static let end: Character = "|"
  /// Characters that cannot name a value.
  static let reserved: Set<Character> = ["-", "|", "[", "]", "?", " "]

  var ticks: [Tick] = []

  init(ticks: [Tick]) { self.ticks = ticks }

  // MARK: Parsing

  /// The reason why a diagram cannot be parsed.
  struct Malformed: Error {
    let description: String
  }

  /// Parses a diagram.
  ///
  /// - Parameters:
  ///   - text: The diagram.
  ///   - name: The diagram's name in errors.
  ///   - known: The characters that have a meaning; `nil` if all have one.
  /// - Throws: Where the diagram is wrong, and how to correct it.
  init(_ text: String, name: String, known: Set<Character>?) throws(Malformed) {
    if let letter = known?.intersection(Self.reserved).min() {
      throw Malformed(
        description: "\(name): '\(letter)' means something in every diagram; "
          + "choose another character")
    }
    /// The position of the open bracket, and the characters after it.
    var group: (start: Int, tick: Tick)?
    var hasEnded = false
    for (index, character) in text.enumerated() where character != " " {
      func fail(_ reason: String) -> Malformed {
        Malformed(description: "\(name) \"\(text)\", character \(index + 1): \(reason)")
      }
      if hasEnded, character != "]" || group == nil {
        throw fail("nothing comes after the end; take '\(character)' away, or the | before it")
      }
      switch character {
      case "[":
        guard group == nil else { throw fail("brackets do not nest; remove this [") }
        group = (index, [])
      case "]":
        guard let tick = group?.tick else { throw fail("this ] closes nothing; put a [ before it") }
        guard !tick.isEmpty else { throw fail("there is nothing in the brackets; write - instead") }
        ticks.append(tick)
        group = nil
      case "-":
        guard group == nil else { throw fail("no time passes in brackets; remove this -") }
        ticks.append([])
      default:
        if character == Self.end {
          hasEnded = true
        } else if let known, !known.contains(character) {
          let names = known.sorted().map { "'\($0)'" }.joined(separator: ", ")
          throw fail(
            "nothing is called '\(character)'; there is \(names.isEmpty ? "nothing" : names)")
        } else if known == nil, character == "?" {
          throw fail("'?' marks a value without a character; show it as another")
        }
        if group == nil { ticks.append([character]) } else { group?.tick.append(character) }
      }
    }
    if let group {
      let place = "\(name) \"\(text)\", character \(group.start + 1)"
      throw Malformed(
        description: "\(place): this [ is never closed; put a ] after what belongs in it")
    }
  }

  // MARK: Comparing and drawing

  /// The first tick at which two diagrams differ.
  func firstDifference(from other: MarbleDiagram) -> Int? {
    (0..<max(ticks.count, other.ticks.count)).first { self[$0] != other[$0] }
  }

  /// What happens at a tick; nothing beyond the end.
  subscript(tick: Int) -> Tick { ticks.indices.contains(tick) ? ticks[tick] : [] }

  /// The diagram in its text form.
  var text: String { ticks.indices.map(cell).joined() }

  private func cell(_ tick: Int) -> String {
    let characters = self[tick].map { $0 ?? "?" }
    return switch characters.count {
    case 0: "-"
    case 1: String(characters)
    default: "[\(String(characters))]"
    }
  }

  /// Draws diagrams below each other, tick below tick, with a mark below one tick.
  ///
  /// The spaces between ticks take no time, so that each line can be copied as it is.
  static func draw(_ lines: [(name: String, diagram: MarbleDiagram)], mark: Int) -> String {
    let count = max(mark + 1, lines.map(\.diagram.ticks.count).max() ?? 0)
    var drawn = lines.map { _ in "" }
    var marks = ""
    for tick in 0..<count {
      let cells = lines.map { $0.diagram.ticks.count > tick ? $0.diagram.cell(tick) : "" }
      let width = cells.map(\.count).max() ?? 0
      for (line, cell) in cells.enumerated() { drawn[line] += pad(cell, to: width) }
      marks += pad(tick == mark ? "^" : "", to: width)
    }
    let margin = (lines.map(\.name.count).max() ?? 0) + 2
    return (zip(lines.map(\.name), drawn) + [("", marks)])
      .map { name, line in trimmed("  " + pad(name, to: margin) + line) }
      .joined(separator: "\n")
  }

  private static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }

  private static func trimmed(_ line: String) -> String {
    String(line.reversed().drop { $0 == " " }.reversed())
  }
}
