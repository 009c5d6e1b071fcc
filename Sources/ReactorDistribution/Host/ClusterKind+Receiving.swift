import Foundation
import Reactor
import ReactorJournal

/// Answers calls of other hosts.
extension ClusterKind {
  /// Answers a call.
  ///
  /// - Parameters:
  ///   - request: The call.
  ///   - slot: The slot of the call. It is released when the work is done, even if the caller was
  ///     answered before that the work takes longer.
  /// - Returns: The response.
  /// - Throws: ``ClusterError``, or what making the reactor throws.
  func receive(_ request: CallRequest, _ slot: ReleaseToken) async throws -> CallResponse {
    let head = request.head
    try ClusterKey.check(head.id)
    switch head.verb {
    case .cancel:
      local?.commands.cancel(head.command)
      return CallResponse(.result, payload: try CommandResult.done(nil).encoded())
    case .last:
      try checkPlace(head)
      let last = try await last(head.id, isFenced: head.isFenced == true)
      return CallResponse(.last, number: last)
    case .follow:
      try checkPlace(head)
      return CallResponse(.last, number: try await follow(head.id, head.after ?? 0))
    case .send, .outcome, .ask: return try await command(request, slot)
    }
  }

  /// Executes a command, and returns its outcome, or that it takes longer.
  private func command(_ request: CallRequest, _ slot: ReleaseToken) async throws -> CallResponse {
    let (id, commands) = (request.head.command, local?.commands)
    let work = try work(for: request, in: commands)
    let outcome: CommandOutcome
    commands?.markAwaited(id)
    do {
      outcome = try await clock.limit(to: options.lease, continuesAfterLimit: true) {
        defer { withExtendedLifetime(slot) {} }
        return try await work()
      }
    } catch is TimeoutError {
      // The caller learns that this host is alive, and calls again.
      return CallResponse(.working)
    } catch {
      commands?.markDelivered(id)
      throw error
    }
    commands?.markDelivered(id)
    let result = outcome.result()
    // The reactor ended before or during the action, so another host may know more.
    if case .failed(let failure) = result, failure.isWorthAnotherTry {
      return CallResponse(.ended, text: failure.text)
    }
    return CallResponse(.result, payload: try result.encoded())
  }

  /// Returns the work for a command; for a known command, it waits for the outcome.
  ///
  /// The reactor of a known command may accept no new actions, or may have ended.
  private func work(
    for request: CallRequest, in commands: HostCommands?
  ) throws -> @Sendable () async throws -> CommandOutcome {
    let head = request.head
    if let known = commands?.command(head.command) { return { try await Self.result(of: known) } }
    try checkPlace(head)
    let end = head.within.map { clock.now() + .bounded(seconds: $0) }
    let command = RunningCommand(head.command, isRemote: true, end: end)
    let action = OneTimeValue(try decode(request.payload, for: command))
    return { try await self.perform(head.id, head, command, action) }
  }

  /// Checks that the reactor is on this host or belongs here.
  ///
  /// - Throws: ``ClusterError/notOwner(_:_:)`` if it is not on this host and belongs to another.
  private func checkPlace(_ head: CallRequest.Head) throws {
    guard let local, !head.isForced else { return }
    guard local.journals.owned(key(head.id)) == nil else { return }
    guard let place = local.incarnation.place(name, head.id), place.id != local.incarnation.id
    else { return }
    throw ClusterError.notOwner(key(head.id), ClusterOwner(host: place, epoch: 0))
  }

  private func decode(_ payload: Data, for command: RunningCommand) throws -> R.Action {
    let decoder = JSONDecoder()
    decoder.userInfo[.replyReturn] = ReplyReturn { _, answer in
      command.reply(answer.map { $0 })
    }
    do {
      return try decoder.decode(R.Action.self, from: payload)
    } catch {
      let reason = ReportText.text(ofError: error)
      throw ClusterError.invalid("this is no action of '\(name)': \(reason)")
    }
  }

  /// Returns the last entry of a reactor's journal, according to its owner.
  ///
  /// - Parameters:
  ///   - id: The identifier of the reactor.
  ///   - isFenced: Whether to confirm with the store that this host still owns the reactor.
  /// - Returns: The number of the last entry.
  /// - Throws: ``ClusterError``, or what making the reactor throws.
  nonisolated(nonsending) func last(_ id: String, isFenced: Bool) async throws -> Int {
    try await with(id) { reactor, owned, local in
      try await reactor.pipeline.durable()
      let last = owned.last
      if isFenced {
        let isOwner = try await store.isOwner(
          local.incarnation.id, of: owned.key, epoch: owned.epoch)
        if !isOwner { throw ClusterError.fenced(owned.key, epoch: owned.epoch) }
      }
      return last
    }
  }

  /// Waits for a limited time until there is an entry after the given one; the reactor is in use
  /// meanwhile.
  nonisolated(nonsending) func follow(_ id: String, _ sequence: Int) async throws -> Int {
    try await with(id) { [clock, options] _, owned, _ in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await owned.wait(after: sequence) }
        group.addTask { try? await clock.sleep(options.lease) }
        await group.next()
        group.cancelAll()
      }
      return owned.last
    }
  }
}
