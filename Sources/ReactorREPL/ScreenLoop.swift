import CommandShell
import Reactor
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
  let record = FailureCount()

  /// Shows a screen and reads its lines until it is left, including the lines of screens that it
  /// opens.
  func run<S: Screen>(_ screen: S) async -> Ending {
    let opened = await screen.reactor.currentState
    let (versions, shown) = AsyncStream.makeStream(
      of: UInt64.self, bufferingPolicy: .bufferingNewest(1))
    let generations = Generations(of: screen.reactor)
    let pending = PendingOutcomes<S.R>()
    guard let stack else {
      let follower = Task { await follow(screen, from: opened, in: generations, shown: shown) }
      let ending = await readLines(with: screen, ShownVersions(versions), pending)
      await finish(generations, of: screen)
      await follower.value
      return ending
    }
    let layer = await stack.open(unpainted: screen.unpainted)
    let followers = [
      Task { await follow(screen, from: opened, in: generations, on: layer, shown: shown) },
      Task {
        for await edit in console.edits where await stack.isOnTop(layer) {
          if screen.handleEdit(edit) { await stack.dismissHelp() }
        }
      },
      Task { await turnPages(screen, on: layer, of: stack) },
      Task {
        for await window in console.windows {
          screen.windowChanged(to: window)
          await stack.windowChanged()
        }
      },
    ]
    let ending = await readLines(with: screen, ShownVersions(versions), pending)
    // Work that was started is finished, and shown, before the screen is closed.
    if await drain(screen, after: ending) {
      await finish(generations, of: screen)
      await followers[0].value
    }
    generations.finish()
    await pending.waitUntilShown()
    for follower in followers { follower.cancel() }
    await stack.close(layer)
    return ending
  }

  // MARK: Lines

  private func readLines<S: Screen>(
    with screen: S, _ shown: ShownVersions, _ pending: PendingOutcomes<S.R>
  ) async -> Ending {
    var shown = shown
    do { try await screen.begin() } catch { fail("\(error)") }
    if stack == nil { await shown.reachNewest(of: screen.reactor) }
    while let line = await console.nextLine() {
      // Enter alone turns the pages of the help.
      if line == .text(""), await stack?.turnHelp(by: 1) == .turned { continue }
      await stack?.clearMessage()
      var isToBePrinted = false
      let failures = record.failures
      switch await step(for: line, on: screen) {
      case .done: break
      case .wait(let receipt): await settle(receipt)
      // At a terminal the next line is read meanwhile; in a pipe, after the work of this one.
      case .background(let receipt):
        if stack == nil {
          await settle(receipt)
        } else {
          pending.tell(receipt) { await settle(receipt) }
        }
      case .waitAndShow(let receipt):
        await settle(receipt)
        isToBePrinted = true
      case .show: isToBePrinted = true
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
      // In a pipe, everything that results from a line is printed before the next one is read.
      if stack == nil || isToBePrinted { await shown.reachNewest(of: screen.reactor) }
      if isToBePrinted, record.failures == failures { await printRows(of: screen) }
      if screen.isClosed(await screen.reactor.currentState) { return .back }
    }
    return await end(screen)
  }

  /// Waits for an action.
  ///
  /// If it was declined, that is printed as a failure, which nothing else shows.
  private func settle<R: Reactor>(_ receipt: ActionReceipt<R>) async {
    switch await receipt.outcome {
    case .failed(let error as any ExpectedError),
      .droppedByMiddleware(let error as any ExpectedError):
      fail("\(error)")
    default: break
    }
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

  private func step<S: Screen>(for line: InputLine, on screen: S) async -> ScreenStep<S.R> {
    do {
      let words = try ShellWords.split(text(of: line))
      return switch try screen.commands.withHelpAndQuit.command(words) {
      case .own(let command): try await screen.perform(command)
      case .help(let topic): .help(topic)
      case .quit: .quit
      case nil: .done
      }
    } catch {
      fail("\(error)")
      return .done
    }
  }

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

  private func printRows<S: Screen>(of screen: S) async {
    do { try await screen.printRows(to: outlet) } catch { fail("\(error)") }
  }

  private func help<S: Screen>(_ topic: String?, of screen: S) async {
    do throws(CommandError) {
      let text = try screen.commands.withHelpAndQuit.help(about: topic, columns: outlet.columns())
      if !outlet.isJSON, await stack?.showHelp(text) == true { return }
      outlet.printHelp(text)
    } catch {
      fail(error.description)
    }
  }

  // MARK: The end

  /// Ends the reactor and its generations, so that the task that follows them ends.
  private func finish<S: Screen>(_ generations: Generations, of screen: S) async {
    await screen.reactor.stop(.drain).settled
    generations.finish()
    // A restart that was in progress has begun a generation, which ends here.
    await screen.reactor.stop(.drain).settled
  }

  /// Waits until the started work has ended, or until a line requests to leave at once.
  ///
  /// - Returns: Whether the work has ended.
  private func drain<S: Screen>(_ screen: S, after ending: Ending) async -> Bool {
    let stopped = screen.reactor.stop(.drain)
    // Only if there is work to wait for; otherwise further lines belong to the screen below.
    guard case .quit = ending, await !screen.reactor.openActions.isEmpty else {
      await stopped.settled
      return true
    }
    outlet.printMessage("waiting for what was begun; quit again to leave at once")
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask {
        await stopped.settled
        return true
      }
      group.addTask { await isDone(of: screen) }
      defer { group.cancelAll() }
      return await group.next() ?? true
    }
  }

  /// Reads lines while a screen drains.
  ///
  /// - Returns: False when a line requests to leave at once; true when the screen has drained.
  private func isDone<S: Screen>(of screen: S) async -> Bool {
    while let line = await console.nextLine() {
      if line == .text("") { continue }
      if Self.isQuit(line) {
        screen.reactor.stop()
        return false
      }
      fail("it ends, and does no more; quit to leave at once")
    }
    // The task was cancelled, or there are no more lines: nothing can end the drain early.
    await screen.reactor.stop(.drain).settled
    return true
  }

  private static func isQuit(_ line: InputLine) -> Bool {
    guard case .text(let text) = line else { return false }
    return ["quit", "exit", "q", ":q"].contains(text.split(separator: " ").joined(separator: " "))
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

  /// Prints a failure and counts it.
  func fail(_ reason: String) {
    record.fail()
    outlet.printFailure(reason)
  }
}
