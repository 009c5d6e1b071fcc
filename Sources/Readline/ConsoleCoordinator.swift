import CommandShell
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Reactor
import ReactorRuntime
import Synchronization

/// The state shared by the callers of the console and its reader's thread.
///
/// Guarded by `state`'s lock: ``ConsoleState``, with the continuations of all tasks that wait for a
/// line. Continuations are resumed, and bytes written, outside the lock.
final class ConsoleCoordinator: Sendable {
  typealias Waiter = CheckedContinuation<Numbered<InputLine>?, Never>

  let wakePipe: WakePipe
  let port = OutputPort.standard
  let traits: TerminalTraits
  let windows: NewestValue<ConsoleWindow>
  let edits = NewestValue<LineEdit>()
  let pageTurns = NewestValue(0)
  let interrupts = NewestValue<Int>()
  private let state: Guarded<ConsoleState<Waiter>>
  private let nextID = Atomic<Int>(0)
  private let inputError = Atomic<Int32>(0)

  convenience init?(prompt: String, isInteractive: Bool) {
    let traits = TerminalTraits.found(isInteractive: isInteractive)
    self.init(
      prompt: prompt, isInteractive: isInteractive, traits: traits,
      window: .measured(canPaint: traits.canPaint), queuesOutput: isInteractive)
  }

  /// Creates the state of a console with these traits; `queuesOutput` is whether the reader shows
  /// the output, instead of the caller.
  init?(
    prompt: String, isInteractive: Bool, traits: TerminalTraits, window: ConsoleWindow,
    queuesOutput: Bool
  ) {
    guard let wakePipe = WakePipe() else { return nil }
    self.wakePipe = wakePipe
    self.traits = traits
    windows = NewestValue(window)
    state = Guarded(ConsoleState(prompt: prompt, queuesOutput: queuesOutput))
  }

  // MARK: Callers

  /// Returns the next line, also for a task that may be a side of a race.
  func nextLine(isolation: isolated (any Actor)? = #isolation) async -> InputLine? {
    guard let side = RaceSide.current else { return await takeLine()?.element }
    return await side.take({ await takeLine() }, puttingBack: putBack)
  }

  private func takeLine(
    isolation: isolated (any Actor)? = #isolation
  ) async -> Numbered<InputLine>? {
    let id = nextID.add(1, ordering: .relaxed).newValue
    let line = await withTaskCancellationHandler {
      await withCheckedContinuation { waiter in
        request(waiter, id: id)
        // A cancellation before the request found no request to cancel.
        if Task.isCancelled { cancelRequest(id: id) }
      }
    } onCancel: {
      cancelRequest(id: id)
    }
    guard let line, Task.isCancelled else { return line }
    // The line was being delivered when the task was cancelled.
    putBack(line)
    return nil
  }

  private func putBack(_ line: Numbered<InputLine>) {
    state.withLock { $0.putBack(line) }?.resume(returning: line)
  }

  func show(_ output: ConsoleOutput) {
    switch state.withLock({ $0.show(output) }) {
    case .writeNow: port.write(output)
    case .queued(let wake): if wake { wakePipe.wake() }
    }
  }

  func show(_ text: StyledText, on destination: ConsoleOutput.Destination) {
    let encoder = StyleEncoder(
      showsStyles: traits.showsStyles && isatty(destination.rawValue) == 1)
    show(ConsoleOutput(text, to: destination, by: encoder))
  }

  func setPrompt(_ prompt: String) {
    if state.withLock({ $0.setPrompt(prompt) }) { wakePipe.wake() }
  }

  func paint(_ rows: [StyledText]) {
    guard traits.canPaint else { return }
    if state.withLock({ $0.paint(rows) }) { wakePipe.wake() }
  }

  func requestClose() {
    if state.withLock({ $0.close() }) { wakePipe.wake() }
  }

  private func request(_ waiter: Waiter, id: Int) {
    switch state.withLock({ $0.request(waiter, id: id) }) {
    case .answered(let line): waiter.resume(returning: line)
    case .waiting(let wake): if wake { wakePipe.wake() }
    }
  }

  private func cancelRequest(id: Int) {
    state.withLock { $0.cancelRequest(id: id) }?.resume(returning: nil)
  }

  /// The error with which reading has ended; nil if there was none.
  var inputFailure: String? {
    switch inputError.load(ordering: .acquiring) {
    case 0: nil
    // A closed descriptor may have been opened as something else, which cannot be read.
    case EBADF, EINVAL: "it is closed; open it, or redirect it from a file or /dev/null"
    case let error: String(cString: strerror(error))
    }
  }

  /// The number of lines that have been delivered.
  var lineCount: Int { Int(state.withLock { $0.lineCount }) }

  // MARK: The reader

  func takeWork() -> ConsoleState<Waiter>.Work {
    state.withLock { $0.takeWork() }
  }

  func deliver(_ line: InputLine) {
    if let (waiter, line) = state.withLock({ $0.deliver(line) }) { waiter.resume(returning: line) }
  }

  /// Records why no more lines can be read, before the lines end.
  func inputFailed(_ error: Int32) { inputError.store(error, ordering: .releasing) }

  /// Shows the remaining output; from then on callers write their output themselves.
  func showRest() {
    while true {
      let outputs = state.withLock { $0.takeLastOutputs() }
      if outputs.isEmpty { return }
      outputs.forEach { port.write($0) }
    }
  }

  /// Notifies all waiting tasks, now and later, that there are no more lines.
  func endLines() {
    for waiter in state.withLock({ $0.end() }) { waiter.resume(returning: nil) }
    edits.end()
    pageTurns.end()
    interrupts.end()
    windows.end()
  }
}
