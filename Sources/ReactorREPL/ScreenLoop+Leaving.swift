import CommandShell
import Reactor
import Readline

/// Ends a screen: its work is completed first, unless a second `quit` cancels it.
extension ScreenLoop {
  /// The time that the end of a screen may take without a message.
  private static let unnoticed: Duration = .milliseconds(100)

  /// Ends the reactor and its generations, so that the task that follows them ends.
  func finish<S: Screen>(_ open: OpenScreen<S>) async {
    await open.screen.reactor.stop(.drain).settled
    open.generations.finish()
    // A restart that was in progress has begun a generation, which ends here.
    await open.screen.reactor.stop(.drain).settled
  }

  /// Waits until the started work has ended, or until a line requests to leave at once.
  ///
  /// - Returns: Whether the work has ended.
  func drain<S: Screen>(_ screen: S, after ending: Ending) async -> Bool {
    let stopped = screen.reactor.stop(.drain)
    // Only if there is work to wait for; otherwise further lines belong to the screen below.
    guard case .quit = ending, await !settlesUnnoticed(stopped) else {
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

  /// Waits for the end of a reactor, but only for a short time.
  ///
  /// The receipt of an idle reactor settles a few jobs after `stop`. Open actions do not show
  /// whether it will: children and hooks may have work, too.
  ///
  /// - Returns: Whether everything has ended.
  private func settlesUnnoticed(_ stopped: StopReceipt) async -> Bool {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await stopped.settled }
      group.addTask { [clock] in try? await clock.sleep(for: Self.unnoticed) }
      _ = await group.next()
      group.cancelAll()
    }
    return stopped.isSettled
  }

  /// Reads lines while a screen drains.
  ///
  /// - Returns: False when a line requests to leave at once; true when the screen has drained.
  private func isDone<S: Screen>(of screen: S) async -> Bool {
    while let line = await console.nextLine() {
      if case .text(let text) = line, text.isBlank || text.isComment { continue }
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
}
