import CommandShell
import Reactor
import ReactorRuntime

/// Makes the console's decisions: which task receives a line, what is shown, and when to wake the
/// reader.
///
/// A plain value. ``ConsoleCoordinator`` guards it with its lock, and carries out its decisions.
struct ConsoleState<Waiter> {
  /// The work for the reader each time it checks.
  struct Work {
    var outputs: [ConsoleOutput]
    var prompt: String
    /// The pane's new rows, if they have changed.
    var pane: [StyledText]?
    var wantsLine: Bool
    var isClosing: Bool
  }

  /// The result of a request for a line.
  enum Request {
    case answered(Numbered<InputLine>?)
    case waiting(wake: Bool)
  }

  /// The result of a piece of output.
  enum Showing {
    /// Nothing reads the terminal any more, or there is none: the caller writes the output.
    case writeNow
    case queued(wake: Bool)
  }

  private struct Waiting: Identifiable {
    let id: Int
    let waiter: Waiter
  }

  private var waiters = IdentityList<Waiting>()
  /// Lines that arrived, or were returned, while no task waited, in order; the next requests
  /// receive them.
  private var unclaimed = FIFO<Numbered<InputLine>>()
  /// The number of lines that have arrived.
  private(set) var lineCount: UInt64 = 0
  private var hasEnded = false
  private var isClosing = false
  private var outputs: [ConsoleOutput] = []
  private var prompt: String
  private var pane: [StyledText]?
  private var queuesOutput: Bool
  private var isWakeUnderWay = false

  /// Creates the state with the first prompt; `queuesOutput` is whether the reader shows the
  /// output.
  init(prompt: String, queuesOutput: Bool) {
    self.prompt = PromptText.cleaned(prompt)
    self.queuesOutput = queuesOutput
  }

  // MARK: Callers

  mutating func request(_ waiter: Waiter, id: Int) -> Request {
    if let line = unclaimed.popFirst() { return .answered(line) }
    guard !hasEnded, !isClosing else { return .answered(nil) }
    waiters.append(Waiting(id: id, waiter: waiter))
    return .waiting(wake: needsWake())
  }

  mutating func cancelRequest(id: Int) -> Waiter? {
    waiters.remove(id)?.waiter
  }

  /// Takes back a line that was not used; returns the waiter to resume with it, if there is one.
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

  /// Sets the prompt; returns whether the reader must be woken to draw it.
  mutating func setPrompt(_ text: String) -> Bool {
    let cleaned = PromptText.cleaned(text)
    guard cleaned != prompt, !hasEnded else { return false }
    prompt = cleaned
    return queuesOutput && needsWake()
  }

  /// Sets the pane's rows, replacing those not yet shown; returns whether the reader must be woken.
  mutating func paint(_ rows: [StyledText]) -> Bool {
    guard queuesOutput else { return false }
    pane = rows
    return needsWake()
  }

  /// Requests the reader to finish; returns whether it must be woken for that.
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

  /// Delivers a line; returns the waiter to resume with it, if there is one.
  mutating func deliver(_ line: InputLine) -> (waiter: Waiter, line: Numbered<InputLine>)? {
    lineCount += 1
    let line = Numbered(lineCount, line)
    if let next = waiters.popFirst() { return (next.waiter, line) }
    unclaimed.append(line)
    return nil
  }

  /// Ends the input; returns all waiters, which receive no more lines.
  mutating func end() -> [Waiter] {
    hasEnded = true
    defer { waiters = IdentityList() }
    return waiters.all.map(\.waiter)
  }

  /// Returns the remaining output; when there is none left, callers write their output themselves.
  mutating func takeLastOutputs() -> [ConsoleOutput] {
    defer { outputs = [] }
    queuesOutput = !outputs.isEmpty
    return outputs
  }

  /// One wake-up is enough for everything that accumulates until the reader checks.
  private mutating func needsWake() -> Bool {
    defer { isWakeUnderWay = true }
    return !isWakeUnderWay
  }
}
