import CommandShell
import Reactor
import ReactorJournal
import Readline

/// The conversation: lines become actions, states become lines.
struct CounterREPL {
  let console: LineConsole
  let counter: CounterReactor

  /// Talks until the input ends or somebody quits.
  ///
  /// - Returns: Whether every line was understood and done.
  func run() async -> Bool {
    let (shown, progress) = AsyncStream.makeStream(
      of: Progress.self, bufferingPolicy: .bufferingNewest(1))
    let opened = await counter.currentState
    let screen = Task { await follow(from: opened, reporting: progress) }
    let understoodAll = await converse(ScreenProgress(shown))
    counter.stop()
    return await screen.value && understoodAll
  }

  // MARK: States become lines

  /// How far the screen has come.
  struct Progress: Sendable {
    let revision: Int
  }

  /// Shows every state as it comes, and says how far that is.
  ///
  /// A counter that has ended, since it can no longer be kept, takes no more lines.
  ///
  /// - Returns: Whether nothing was refused.
  private func follow(
    from opened: CounterReactor.State, reporting progress: AsyncStream<Progress>.Continuation
  ) async -> Bool {
    var screen = CounterScreen(opened: opened)
    var refusedNothing = true
    for await state in counter.state {
      for line in screen.lines(for: state) {
        switch line {
        case .error(let text):
          console.printError(fitted(text))
          refusedNothing = false
        case .output(let text):
          // On a terminal the prompt shows the value.
          if !console.isInteractive || text != CounterScreen.line(state) { console.print(text) }
        }
      }
      console.setPrompt(CounterScreen.prompt(state))
      progress.yield(Progress(revision: state.revision))
    }
    progress.finish()
    console.close()
    return refusedNothing
  }

  // MARK: Lines become actions

  private func converse(_ progress: ScreenProgress) async -> Bool {
    var progress = progress
    var understoodAll = true
    await progress.reach(0)
    for await line in console.lines {
      do {
        guard try await obey(command(in: line), &progress) else { break }
      } catch {
        console.printError(fitted("error: \(error)"))
        understoodAll = false
      }
    }
    return understoodAll
  }

  /// A person sees no word broken.
  private func fitted(_ text: String) -> String {
    console.isInteractive ? WordWrap.wrapped(text, to: console.window.columns) : text
  }

  private func command(in line: InputLine) throws(CounterCommandError) -> CounterCommand {
    switch line {
    case .text(let text): try CounterCommand(line: text)
    case .notUTF8:
      throw CounterCommandError("the line is not UTF-8 text; type a command, or 'help'")
    case .tooLong:
      throw CounterCommandError(
        "the line is longer than \(InputLine.byteLimit) bytes; type a command, or 'help'")
    }
  }

  /// - Returns: Whether to go on.
  private func obey(
    _ command: CounterCommand, _ progress: inout ScreenProgress
  ) async throws -> Bool {
    switch command {
    case .nothing: break
    case .quit: return false
    case .help: console.print(fitted(CounterCommand.helpText))
    case .show: console.print(CounterScreen.line(await counter.currentState))
    case .history(let count):
      for line in try await past(count) { console.print(fitted(line)) }
    case .at(let change):
      guard let state = try await counter.history?.state(at: change) else { break }
      console.print("value: \(state.value)")
    case .undo:
      guard try await counter.undo() else { throw CounterCommandError("nothing to undo") }
      await show(&progress)
    case .redo:
      guard try await counter.redo() else { throw CounterCommandError("nothing to redo") }
      await show(&progress)
    case .send(let action):
      let receipt = counter.send(action)
      // A person may go on typing; a script wants each line done, and shown, before the next.
      guard !console.isInteractive else { break }
      await receipt.settled
      await show(&progress)
    }
    return true
  }

  private func past(_ count: Int) async throws -> [String] {
    guard let history = counter.history else { return [] }
    return try await CounterHistory(history: history).lines(newest: count)
  }

  private func show(_ progress: inout ScreenProgress) async {
    await progress.reach(counter.currentState.revision)
  }
}

/// Waits until the screen has shown a state.
struct ScreenProgress {
  private var shown: AsyncStream<CounterREPL.Progress>.Iterator
  private var revision = -1

  init(_ shown: AsyncStream<CounterREPL.Progress>) { self.shown = shown.makeAsyncIterator() }

  /// Returns once the screen has shown that revision, or will show nothing more.
  mutating func reach(_ wanted: Int) async {
    while revision < wanted {
      revision = await shown.next()?.revision ?? .max
    }
  }
}
