import ReactorREPL
import Readline

/// What a console shows, and the keys and lines that it has not read yet, as a plain value.
struct TestTerminal: Sendable {
  /// What the console has to be given.
  enum Action: Equatable, Sendable {
    case line(String)
    case edit(LineEdit)
    /// The number of Ctrl-C that have dropped no text.
    case interrupts(Int)
    /// The number of pages turned: down minus up.
    case pageTurns(Int)
    case end
  }

  let isPipe: Bool
  /// Whether a paste is text until Enter, as in a terminal that marks pastes.
  let marksPastes: Bool

  private(set) var prompt = ""
  private(set) var rows: [StyledText] = []
  /// The printed lines.
  private(set) var printed: [(text: String, isError: Bool)] = []
  /// The printed lines, and the lines that were entered after their prompts.
  private(set) var conversation: [String] = []
  /// The candidates that the last Tab has listed.
  private(set) var candidates: [String] = []
  private(set) var line = TypedLine()
  /// Whether a line is being read.
  private(set) var isReading = false
  var exitStatus: Int32?

  /// What was typed and not read: keys at a terminal, a key for each character in a pipe.
  private var keys: [ConsoleKey] = []
  private var pastedLines: [String] = []
  private var published = ""
  private var interruptCount = 0
  private var turnedPages = 0
  /// Whether the input has ended; in a pipe, after the lines that were typed.
  private var hasEnded = false
  /// Whether the console was notified of that.
  private var isFinished = false

  init(isPipe: Bool, marksPastes: Bool) {
    self.isPipe = isPipe
    self.marksPastes = marksPastes
  }

  // MARK: From the console

  mutating func take(_ work: ConsoleFeed.Work) {
    printed += work.printed
    for output in work.printed {
      conversation += output.text.split(separator: "\n", omittingEmptySubsequences: false)
        .map(String.init)
    }
    prompt = isPipe ? "" : work.prompt
    if let rows = work.rows { self.rows = rows }
    guard work.wantsLine, !isReading, !isFinished else { return }
    (isReading, published) = (true, "")
  }

  /// The whole window as text: what was printed and entered, the line, and the rows below it.
  var picture: String {
    let typed = isReading && !isPipe ? ["\(prompt)\(line.text)"] : []
    return (conversation + typed + rows.map(\.plain)).joined(separator: "\n")
  }

  // MARK: From the test

  mutating func type(_ key: ConsoleKey) { keys.append(key) }

  /// Pastes text; it is part of the line until Enter.
  mutating func paste(_ text: String) {
    guard marksPastes else { return keys += text.map { ConsoleKey($0) } }
    let lines = text.split(
      omittingEmptySubsequences: false, whereSeparator: { $0 == "\n" || $0 == "\r\n" })
    line.insert(lines.joined(separator: "\n"))
  }

  /// Ctrl-C, which a terminal does not queue.
  mutating func interrupt() -> [Action] {
    keys = []
    let hasText = !pastedLines.isEmpty || (isReading && !line.text.isEmpty)
    pastedLines = []
    var actions: [Action] = []
    if isReading {
      conversation.append("\(prompt)\(line.take(isEntered: false))^C")
      published = ""
      actions.append(.edit(.dropped))
    }
    guard !hasText else { return actions }
    interruptCount += 1
    return actions + [.interrupts(interruptCount)]
  }

  /// Ends the input; in a pipe, after the lines that were typed.
  mutating func end() -> [Action] {
    hasEnded = true
    if isPipe { return [] }
    return finish()
  }

  // MARK: Reading

  /// Reads the next key, or the next line of a pipe or a paste; nil if there is nothing to read, or
  /// no line is requested.
  mutating func read(completing completer: (String) -> LineCompletion) -> [Action]? {
    if isPipe { return readPipe() }
    guard isReading else { return nil }
    if !pastedLines.isEmpty {
      let text = pastedLines.removeFirst()
      line.remember(text)
      return [.edit(.entered), deliver(text)]
    }
    guard !keys.isEmpty else { return takeEdit().map { [.edit($0)] } }
    switch line.apply(keys.removeFirst()) {
    case .edited, .nothing: break
    case .completes: candidates = line.complete(completer) ?? []
    case .turns(let pages):
      turnedPages += pages
      return [.pageTurns(turnedPages)]
    case .quits: return [.edit(.entered), deliver("quit")]
    case .entered: return enter()
    }
    return takeEdit().map { [.edit($0)] } ?? []
  }

  private mutating func readPipe() -> [Action]? {
    guard isReading else { return nil }
    guard let end = keys.firstIndex(of: .enter) else {
      guard hasEnded, !keys.isEmpty else {
        return hasEnded ? finish() : nil
      }
      defer { keys = [] }
      return [deliver(Self.text(of: keys[...]))]
    }
    defer { keys.removeSubrange(...end) }
    return [deliver(Self.text(of: keys[..<end]))]
  }

  private mutating func finish() -> [Action] {
    (isReading, isFinished) = (false, true)
    return [.end]
  }

  private static func text(of keys: ArraySlice<ConsoleKey>) -> String {
    String(keys.compactMap { character(of: $0) })
  }

  private static func character(of key: ConsoleKey) -> Character? {
    switch key {
    case .character(let character): character
    case .tab: "\t"
    case .control(let letter): letter.asciiValue.map { Character(Unicode.Scalar($0 & 0x1F)) }
    default: nil
    }
  }

  private mutating func enter() -> [Action] {
    let text = line.take(isEntered: !line.text.contains("\n"))
    guard text.contains("\n") else { return [.edit(.entered), deliver(text)] }
    pastedLines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if pastedLines.last == "" { pastedLines.removeLast() }
    return []
  }

  private mutating func deliver(_ text: String) -> Action {
    if !isPipe { conversation.append("\(prompt)\(text)") }
    isReading = false
    return .line(text)
  }

  /// The text of the line, if it has changed.
  private mutating func takeEdit() -> LineEdit? {
    guard line.text != published else { return nil }
    published = line.text
    return .changed(published)
  }
}
