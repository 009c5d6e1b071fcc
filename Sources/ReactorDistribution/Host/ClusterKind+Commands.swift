import Foundation
import Reactor
import ReactorJournal
import ReactorRuntime

/// Commands: actions whose calls may be repeated, and that are done once.
extension ClusterKind {
  /// Sends an action for a command, and waits for its outcome.
  ///
  /// - Parameters:
  ///   - id: The identifier of the reactor.
  ///   - head: The request.
  ///   - command: The command to track; not used if the same command is already running.
  ///   - action: The action; its reply, if it has one, answers the command.
  /// - Returns: The outcome, which is confirmed.
  /// - Throws: ``ClusterError``, or what making the reactor throws.
  nonisolated(nonsending) func perform(
    _ id: String, _ head: CallRequest.Head, _ command: RunningCommand,
    _ action: OneTimeValue<R.Action>
  ) async throws -> CommandOutcome {
    try await with(id) { reactor, owned, local in
      let commands = local.commands
      if let known = commands.register(command) { return try await Self.result(of: known) }
      do {
        if let known = try await resultBefore(command, head, owned) {
          command.finish(known)
          commands.finish(command)
          return known
        }
      } catch {
        command.finish(
          .stored(
            .failed(ClusterFailure(.ended, "it was not begun: \(ReportText.text(ofError: error))")))
        )
        commands.remove(command)
        throw error
      }
      let context = CommandContext(
        command: command, commands: commands, owned: owned, reactor: reactor)
      if head.verb == .send { return accept(action, context) }
      begin(action, context, isAsked: head.verb == .ask)
      return try await finish(context, within: head.within, local)
    }
  }

  /// A running command with its reactor, and where it is recorded.
  private struct CommandContext: Sendable {
    let command: RunningCommand
    let commands: HostCommands
    let owned: OwnedReactor
    let reactor: R
  }

  /// Waits for the outcome of a command that is running or done.
  static func result(of known: RunningCommand) async throws -> CommandOutcome {
    await known.done.wait()
    guard let result = known.result else { throw CancellationError() }
    return result
  }

  /// Returns the outcome of a command that must not begin; `nil` if it may begin.
  ///
  /// It may have been done on another host, or it was cancelled or timed out while the reactor was
  /// made.
  private nonisolated(nonsending) func resultBefore(
    _ command: RunningCommand, _ head: CallRequest.Head, _ owned: OwnedReactor
  ) async throws -> CommandOutcome? {
    if let known = try await knownBefore(head, owned) { return known }
    if let end = command.end, end <= clock.now() { return .stored(.failed(.late(head.within))) }
    if command.isCancelled { return .stored(.failed(ClusterFailure(thrown: CancellationError()))) }
    return nil
  }

  /// Returns the recorded outcome of a command that may have begun on another host.
  private nonisolated(nonsending) func knownBefore(
    _ head: CallRequest.Head, _ owned: OwnedReactor
  ) async throws -> CommandOutcome? {
    guard head.attempt > 1, let record = try await store.command(head.command, of: owned.key) else {
      return nil
    }
    guard let answer = record.answer else {
      // An action that only had to be accepted has no other outcome.
      if head.verb == .send { return .stored(.done(nil)) }
      throw ClusterError.unfinished(owned.key, command: head.command)
    }
    return .stored(try CommandResult(encoded: answer))
  }

  /// Sends the action, and passes its outcome to the command.
  @discardableResult
  private func begin(
    _ action: OneTimeValue<R.Action>, _ context: CommandContext, isAsked: Bool
  ) -> ActionReceipt<R> {
    let (command, owned, reactor) = (context.command, context.owned, context.reactor)
    guard let action = action.take() else { preconditionFailure("it is sent once") }
    let place = Guarded<ActionReceipt<R>?>(nil)
    owned.send(command) {
      let receipt = reactor.send(action)
      place.withLock { $0 = receipt }
      return (receipt.actionNumber?.rawValue, { receipt.cancel() })
    }
    guard let receipt = place.withLock({ $0 }) else { preconditionFailure("it was just sent") }
    PipelineTasks.inheriting {
      let failure = ClusterFailure(await receipt.outcome)
      command.actionEnded(failure, isAsked: isAsked)
      // When the reactor has ended, no answer follows.
      let end = owned.ended.whenFired {
        command.answer(.failure(ClusterFailure(.ended, "the reactor ended in the middle")))
      }
      await command.done.wait()
      owned.ended.removeHandler(end)
      owned.remove(command)
      context.commands.finish(command)
    }
    return receipt
  }

  private func accept(
    _ action: OneTimeValue<R.Action>, _ context: CommandContext
  ) -> CommandOutcome {
    let receipt = begin(action, context, isAsked: false)
    let refusal = receipt.isRefused ? receipt.refusal : nil
    let result = CommandOutcome.stored(
      refusal.map { .failed(ClusterFailure(ClusterFailure.Kind(of: $0), "refused: \($0)")) }
        ?? .done(nil))
    context.command.finish(result)
    return result
  }

  /// Waits for the answer, and until it is confirmed.
  private nonisolated(nonsending) func finish(
    _ context: CommandContext, within limit: Double?, _ local: Local
  ) async throws -> CommandOutcome {
    let (command, owned, reactor) = (context.command, context.owned, context.reactor)
    let time = limit.map { seconds in
      let rest = command.end.map { $0 - clock.now() } ?? .bounded(seconds: seconds)
      return PipelineTasks.inheriting { [clock] in
        guard (try? await clock.sleep(rest)) != nil else { return }
        command.answer(.failure(ClusterFailure.late(seconds)))
        command.cancel()
      }
    }
    defer { time?.cancel() }
    await withTaskCancellationHandler {
      await command.answered.wait()
    } onCancel: {
      command.cancel()
    }
    var answer = command.answer ?? .failure(CancellationError())
    do {
      try await reactor.pipeline.durable()
    } catch {
      answer = .failure(
        ClusterFailure(
          .ended, "the reactor ended in the middle: \(ReportText.text(ofError: error))"))
    }
    // The answer of a host whose lease has expired is only valid if it is in the journal.
    if local.incarnation.isOver, !command.isRecorded {
      answer = .failure(ClusterFailure(.ended, "the host's lease has run out"))
    }
    let result = CommandOutcome.live(answer)
    let commandResult = CommandResult(answer)
    if command.needsStoring, commandResult.isFinal, let encoded = try? commandResult.encoded() {
      try? await store.answer(
        command.id, of: owned.key, with: encoded, by: local.incarnation.id, epoch: owned.epoch)
    }
    command.finish(result)
    return result
  }
}
