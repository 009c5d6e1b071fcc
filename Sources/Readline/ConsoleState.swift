import CommandShell
import Reactor
import ReactorRuntime

/// Decides for the console: who waits for a line, what is to be shown, when to wake the reader.
///
/// A plain value. ``ConsoleDesk`` guards it with its lock and does what it says.
struct ConsoleState<Waiter> {
  /// What the reader finds to do each time it looks.
  struct Work {
    var outputs: [ConsoleOutput]
    var prompt: String
    /// The pane's rows, if they are other ones than before.
    var pane: [StyledText]?
    var wantsLine: Bool
    var isClosing: Bool
  }

  /// What becomes of a request for a line.
  enum Request {
    case answered(Numbered<InputLine>?)
    case waiting(wake: Bool)
  }

  /// What becomes of a piece of output.
  enum Showing {
    /// Nothing reads the terminal (any more), or there is none: the caller writes it.
    case writeNow
    case queued(wake: Bool)
  }

  private struct Waiting: Identifiable {
    let id: Int
    let waiter: Waiter
  }

  private var waiters = IdentityList<Waiting>()
  /// Lines that came, or came back, while nothing waited, in order; the next requests get them.
  private var unclaimed = FIFO<Numbered<InputLine>>()
  /// How many lines have come.
  private var lineCount: UInt64 = 0
  private var hasEnded = false
  private var isClosing = false
  private var outputs: [ConsoleOutput] = []
  private var prompt: String
  private var pane: [StyledText]?
  private var queuesOutput: Bool
  private var isWakeUnderWay = false

  /// A console with its first prompt, whose output the reader shows or the callers write.
  init(prompt: String, queuesOutput: Bool) {
    self.prompt = PromptText.cleaned(prompt)
    self.queuesOutput = queuesOutput
  }

  // MARK: Callers

  mutating func ask(_ waiter: Waiter, id: Int) -> Request {
    if let line = unclaimed.popFirst() { return .answered(line) }
    guard !hasEnded, !isClosing else { return .answered(nil) }
    waiters.append(Waiting(id: id, waiter: waiter))
    return .waiting(wake: needsWake())
  }

  mutating func withdraw(id: Int) -> Waiter? {
    waiters.remove(id)?.waiter
  }

  /// Takes a line back that was taken and not used; the waiter to resume with it, if there is one.
  mutating func putBack(_ line: Numbered<InputLine>) -> Waiter? {
    if let next = waiters.popFirst() { return next.waiter }
    unclaimed.putBack(line)
    return nil
  }

  mutating func show(_ output: ConsoleOutput) -> Showing {
    guard queuesOutput else { return .writeNow }
    outputs.append(output)
    return .queued(wake: needsWake())
  }

  /// Takes the new prompt; whether the reader must be woken to draw it.
  mutating func setPrompt(_ text: String) -> Bool {
    let cleaned = PromptText.cleaned(text)
    guard cleaned != prompt, !hasEnded else { return false }
    prompt = cleaned
    return queuesOutput && needsWake()
  }

  /// Takes the pane's new rows, which replace those not yet shown; whether the reader must be
  /// woken.
  mutating func paint(_ rows: [StyledText]) -> Bool {
    guard queuesOutput else { return false }
    pane = rows
    return needsWake()
  }

  /// Asks the reader to finish; whether it must be woken to hear it.
  mutating func close() -> Bool {
    isClosing = true
    return !hasEnded && needsWake()
  }

  // MARK: The reader

  mutating func takeWork() -> Work {
    defer { (outputs, pane) = ([], nil) }
    isWakeUnderWay = false
    return Work(
      outputs: outputs, prompt: prompt, pane: pane,
      wantsLine: !waiters.isEmpty && unclaimed.isEmpty, isClosing: isClosing)
  }

  /// Hands over a line; the waiter to resume with it, if one is left.
  mutating func deliver(_ line: InputLine) -> (waiter: Waiter, line: Numbered<InputLine>)? {
    lineCount += 1
    let line = Numbered(lineCount, line)
    if let next = waiters.popFirst() { return (next.waiter, line) }
    unclaimed.append(line)
    return nil
  }

  /// Ends the input; returns all that are to be told that there are no more lines.
  mutating func end() -> [Waiter] {
    hasEnded = true
    defer { waiters = IdentityList() }
    return waiters.all.map(\.waiter)
  }

  /// What is left to show; when nothing is, callers write for themselves from here on.
  mutating func takeLastOutputs() -> [ConsoleOutput] {
    defer { outputs = [] }
    queuesOutput = !outputs.isEmpty
    return outputs
  }

  /// One wake-up is enough for everything that gathers before the reader looks.
  private mutating func needsWake() -> Bool {
    defer { isWakeUnderWay = true }
    return !isWakeUnderWay
  }
}
