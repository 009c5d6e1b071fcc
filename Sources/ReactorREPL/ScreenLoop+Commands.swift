import CommandShell
import Reactor
import ReactorRuntime
import Readline

/// Parses a line, executes its command, and waits for the action that results.
extension ScreenLoop {
  /// Executes the command of a line, and waits for its action if the next line has to.
  func step<S: Screen>(for line: InputLine, on open: OpenScreen<S>) async -> ScreenStep<S.R> {
    do {
      let text = try text(of: line)
      if text.isComment { return .done }
      switch try open.screen.commands.withHelpAndQuit.command(ShellWords.split(text)) {
      case .own(let command):
        open.running.begin(text)
        defer { open.running.end() }
        let step = try await perform(command, on: open)
        await wait(for: step, of: text, on: open)
        if case .waitAndShow = step, open.running.isInterrupted { return .done }
        return step
      case .help(let topic): return .help(topic)
      case .quit: return .quit
      case nil: return .done
      }
    } catch {
      fail(error)
      return .done
    }
  }

  /// Executes a command; at a terminal, in a task that Ctrl-C cancels.
  private func perform<S: Screen>(
    _ command: S.Command, on open: OpenScreen<S>
  ) async throws -> ScreenStep<S.R> {
    let screen = open.screen
    guard stack != nil else { return try await screen.perform(command) }
    let task = Task(executorPreference: SimulatedExecutor.current) {
      try await screen.perform(command)
    }
    open.running.setCancel { task.cancel() }
    do {
      return try await task.value
    } catch  where open.running.isInterrupted && Self.isCancellation(error) {
      // The interruption has been reported.
      return .done
    }
  }

  private static func isCancellation(_ error: any Error) -> Bool {
    if error is CancellationError { return true }
    if let error = error as? AskError { return error.reason == .cancelled }
    guard case .cancelled? = (error as? any ErrorWithKind)?.kindOfError else { return false }
    return true
  }

  // MARK: Actions

  /// Waits for the action of a step.
  ///
  /// At a terminal, Ctrl-C ends the wait and cancels the action, and the next line is read while an
  /// action continues in the background. In a pipe, each action is awaited.
  private func wait<S: Screen>(
    for step: ScreenStep<S.R>, of line: String, on open: OpenScreen<S>
  ) async {
    switch step {
    case .wait(let receipt), .waitAndShow(let receipt):
      guard stack != nil else { return await settle(receipt) }
      let (ends, end) = AsyncStream.makeStream(of: Void.self)
      let id = open.pending.show(receipt, of: line) {
        await settle(receipt)
        end.yield()
      }
      open.running.setCancel {
        open.pending.cancel(id)
        end.yield()
      }
      for await _ in ends { break }
    case .background(let receipt):
      guard stack != nil else { return await settle(receipt) }
      let id = open.pending.show(receipt, of: line) { await settle(receipt) }
      open.running.setCancel { open.pending.cancel(id) }
    case .done, .show, .answer, .help, .open, .back, .quit: break
    }
  }

  /// Waits for an action.
  ///
  /// If it was declined, that is printed as a failure, which nothing else shows. Other failures are
  /// printed and counted as reports; if the console shows no reports, they are only counted here.
  private func settle<R: Reactor>(_ receipt: ActionReceipt<R>) async {
    switch await receipt.outcome {
    case .failed(let error as any ExpectedError),
      .droppedByMiddleware(let error as any ExpectedError):
      fail(error)
    case .failed, .refused, .droppedByMiddleware, .neverBegun, .reactorEnded:
      if reports == nil { record.fail() }
    default: break
    }
  }

  // MARK: Texts

  private func text(of line: InputLine) throws(CommandError) -> String {
    switch line {
    case .text(let text): return text
    case .notUTF8:
      throw CommandError("the line is not UTF-8 text; type a command, or 'help'")
    case .tooLong:
      throw CommandError(
        "the line is longer than \(InputLine.byteLimit) bytes; type a command, or 'help'")
    }
  }

  /// Prints what a screen shows.
  func printRows<S: Screen>(of screen: S) async {
    do { try await screen.printRows(to: outlet) } catch { fail(error) }
  }

  /// Shows the help about a command, or about all.
  func help<S: Screen>(_ topic: String?, of screen: S) async {
    do throws(CommandError) {
      let text = try screen.commands.withHelpAndQuit.help(about: topic, columns: outlet.columns())
      if !outlet.isJSON, await stack?.showHelp(text) == true { return }
      outlet.printHelp(text)
    } catch {
      fail(error.description)
    }
  }
}

extension String {
  /// Whether a line is a comment.
  var isComment: Bool { first { !$0.isWhitespace } == "#" }
}
