import CommandShell
import Reactor
import ReactorRuntime
import Readline

/// Converts lines to actions of the top screen, and shows its states.
struct ScreenLoop: Sendable {
  /// How a screen was left.
  enum Ending {
    case back, quit
    /// There are no more lines.
    case end
  }

  let console: LineConsole
  /// The open screens; `nil` without a terminal.
  let stack: ScreenStack?
  let outlet: Outlet
  /// Prints reports; `nil` if the console does not show them.
  let reports: ReportPrinter?
  /// Measures how long the end of a screen may take without a message.
  let clock: any Clock<Duration>
  /// Receives the reports of each screen's reactor; `nil` if all reports arrive in another way.
  let reportListener: (@Sendable (ReactorReport) -> Void)?
  let record: FailureCount

  /// Shows a screen and reads its lines until it is left, including the lines of screens that it
  /// opens.
  func run<S: Screen>(_ screen: S) async -> Ending {
    if let reportListener { await screen.reactor.listenForReports(reportListener) }
    let opened = await screen.reactor.currentState
    let (versions, shown) = AsyncStream.makeStream(
      of: UInt64.self, bufferingPolicy: .bufferingNewest(1))
    let open = OpenScreen(screen)
    guard let stack else {
      let follower = PipelineTasks.inheriting { await follow(open, from: opened, shown: shown) }
      let ending = await readLines(with: open, ShownVersions(versions))
      await finish(open)
      await follower.value
      return ending
    }
    let layer = await stack.open(unpainted: screen.unpainted)
    // Subscribed before the first line is read, so that no interruption of its command is missed.
    let interrupts = console.interrupts
    let followers = [
      PipelineTasks.inheriting { await follow(open, from: opened, on: layer, shown: shown) },
      PipelineTasks.inheriting {
        for await edit in console.edits where await stack.isOnTop(layer) {
          if screen.handleEdit(edit) { await stack.dismissHelp() }
        }
      },
      PipelineTasks.inheriting {
        for await _ in interrupts where await stack.isOnTop(layer) {
          await interrupt(open, on: stack)
        }
      },
      PipelineTasks.inheriting { await turnPages(screen, on: layer, of: stack) },
      PipelineTasks.inheriting {
        for await window in console.windows {
          screen.windowChanged(to: window)
          await stack.windowChanged()
        }
      },
    ]
    let ending = await readLines(with: open, ShownVersions(versions))
    // Work that was started is finished, and shown, before the screen is closed.
    if await drain(screen, after: ending) {
      await finish(open)
      await followers[0].value
    }
    open.generations.finish()
    await open.pending.waitUntilShown()
    for follower in followers { follower.cancel() }
    await stack.close(layer)
    return ending
  }

  // MARK: Lines

  private func readLines<S: Screen>(
    with open: OpenScreen<S>, _ shown: ShownVersions
  ) async -> Ending {
    let screen = open.screen
    var shown = shown
    do { try await screen.begin() } catch { fail(error) }
    if stack == nil { await shown.reachNewest(of: screen.reactor) }
    while let line = await console.nextLine() {
      // Enter alone turns the pages of the help.
      if line == .text(""), await stack?.turnHelp(by: 1) == .turned { continue }
      await stack?.clearMessage()
      var isToBePrinted = false
      let failures = record.failures
      let next = await step(for: line, on: open)
      await printStates(of: screen, &shown)
      switch next {
      case .done, .wait, .background: break
      case .waitAndShow, .show: isToBePrinted = true
      case .answer(let answer):
        if let stack, !outlet.isJSON {
          await stack.showMessage(answer)
        } else {
          outlet.printAnswer(answer)
        }
      case .help(let topic): await help(topic, of: screen)
      case .open(let other):
        if let ending = await ending(of: other, on: screen) { return ending }
      case .back: return .back
      case .quit: if await screen.canQuit() { return .quit }
      }
      if stack != nil, isToBePrinted { await shown.reachNewest(of: screen.reactor) }
      await printStates(of: screen, &shown)
      if isToBePrinted, record.failures == failures { await printRows(of: screen) }
      if screen.isClosed(await screen.reactor.currentState) { return .back }
    }
    return await end(screen)
  }

  /// In a pipe, returns when all states and reports up to now have been printed: those of a line
  /// before its answer, and all that results from it before the next line is read.
  private func printStates<S: Screen>(of screen: S, _ shown: inout ShownVersions) async {
    guard stack == nil else { return }
    await shown.reachNewest(of: screen.reactor)
    reports?.flush()
  }

  /// Runs a screen on top of another one.
  ///
  /// - Returns: How the screen below ends as a result; `nil` if it continues.
  private func ending<S: Screen>(of other: any Screen, on screen: S) async -> Ending? {
    let ending = await run(other)
    await screen.screenClosed(other)
    return switch ending {
    case .back: nil
    case .quit: await screen.canQuit() ? .quit : nil
    case .end: await end(screen)
    }
  }

  /// There are no more lines, so no question can be answered: what is lost is reported as a
  /// failure.
  private func end<S: Screen>(_ screen: S) async -> Ending {
    if let loss = screen.unsavedChanges(in: await screen.reactor.currentState) { fail(loss) }
    return .end
  }

  /// Prints why something was not done, unless a report has said so, and counts it.
  func fail(_ error: any Error) {
    guard let error = error as? AskError else { return fail("\(error)") }
    if reports != nil, error.isReported { return record.fail() }
    fail(error.userText)
  }

  /// Prints a failure and counts it.
  func fail(_ reason: String) {
    record.fail()
    outlet.printFailure(reason)
  }

  // MARK: Keys

  private func turnPages<S: Screen>(
    _ screen: S, on layer: ScreenStack.Layer, of stack: ScreenStack
  ) async {
    var seen: Int?
    for await turned in console.pageTurns {
      let pages = turned - (seen ?? turned)
      seen = turned
      guard pages != 0, await stack.isOnTop(layer) else { continue }
      if await stack.turnHelp(by: pages) == .noHelp { screen.turn(pages: pages) }
    }
  }

  /// Handles Ctrl-C: cancels the command that is being executed, or else the newest pending action.
  ///
  /// If there is neither, a message says how to leave, since Ctrl-C ends most programs.
  private func interrupt<S: Screen>(_ open: OpenScreen<S>, on stack: ScreenStack) async {
    switch open.running.interrupt() {
    case .noCommand:
      guard let line = open.pending.cancelNewest() else {
        return await stack.showMessage("no command to cancel; 'help' lists all, 'quit' leaves")
      }
      printCancelled(line)
    case .cancelled(let line): printCancelled(line)
    case .repeated: break
    }
  }

  private func printCancelled(_ line: String) {
    outlet.printWarning("cancelled '\(CommandError.shown(line))'")
  }
}

extension Reactor {
  /// Passes on the reports about this reactor, which are then not written to standard error.
  fileprivate func listenForReports(_ body: @escaping @Sendable (ReactorReport) -> Void) {
    let listener = Pipeline.Listener(handlesReports: { true }) { step in
      if case .report(let report) = step { body(report) }
    }
    _ = pipeline.listen(listener, on: self)
  }
}
