import Foundation
import Reactor
import ReactorJournal

/// What other hosts ask of this one.
extension ClusterKind {
  /// Answers a call.
  ///
  /// - Parameters:
  ///   - request: What is asked.
  ///   - room: Given back when the work is done, also where its caller was told before that it
  ///     takes longer.
  /// - Returns: What is said to that.
  /// - Throws: ``ClusterError``, or what making the reactor throws.
  func receive(_ request: CallRequest, _ room: CallRoom) async throws -> CallResponse {
    let head = request.head
    try ClusterKey.check(head.id)
    try checkPlace(head)
    switch head.verb {
    case .cancel:
      local?.journals.held(key(head.id))?.cancel(head.command)
      return CallResponse(.result, payload: try CommandResult.done(nil).encoded())
    case .last:
      let last = try await last(head.id, isFenced: head.isFenced == true)
      return CallResponse(.last, number: last)
    case .follow: return CallResponse(.last, number: try await follow(head.id, head.after ?? 0))
    case .send, .outcome, .ask:
      let command = RunningCommand(head.command, isRemote: true)
      let action = Parcel(try decode(request.payload, for: command))
      let performed: Performed
      do {
        performed = try await clock.limit(to: options.lease, goesOn: true) {
          defer { withExtendedLifetime(room) {} }
          return try await self.perform(head.id, head, command, action)
        }
      } catch is TimeIsUp {
        // The caller is to know that this host lives, and asks again.
        return CallResponse(.working)
      }
      let result = performed.result()
      // Of a reactor that ended before or amid the action, another host can say more.
      if case .failed(let failure) = result, failure.isWorthAnotherTry {
        return CallResponse(.ended, text: failure.text)
      }
      return CallResponse(.result, payload: try result.encoded())
    }
  }

  /// - Throws: ``ClusterError/notMine(_:_:)`` for a reactor that nobody has and that belongs to
  ///   another host.
  private func checkPlace(_ head: CallRequest.Head) throws {
    guard let local, head.verb != .cancel, !head.isForced else { return }
    guard local.journals.held(key(head.id)) == nil else { return }
    guard let place = local.life.place(name, head.id), place.id != local.life.id else { return }
    throw ClusterError.notMine(key(head.id), ClusterOwner(host: place, epoch: 0))
  }

  private func decode(_ payload: Data, for command: RunningCommand) throws -> R.Action {
    let decoder = JSONDecoder()
    decoder.userInfo[.replyReturn] = ReplyReturn { _, answer in
      command.reply(answer.map { $0 })
    }
    do {
      return try decoder.decode(R.Action.self, from: payload)
    } catch {
      throw ClusterError.invalid("this is no action of '\(name)': \(error)")
    }
  }

  /// How far the journal of a reactor is, as whoever has it says.
  ///
  /// - Parameters:
  ///   - id: Which.
  ///   - isFenced: Whether to make sure, by the store, that it still has it.
  /// - Returns: The last entry that is kept.
  /// - Throws: ``ClusterError``, or what making the reactor throws.
  nonisolated(nonsending) func last(_ id: String, isFenced: Bool) async throws -> Int {
    try await with(id) { reactor, held, local in
      try await reactor.pipeline.durable()
      let last = held.last
      if isFenced {
        let isOwner = try await store.isOwner(local.life.id, of: held.key, epoch: held.epoch)
        if !isOwner { throw ClusterError.fenced(held.key, epoch: held.epoch) }
      }
      return last
    }
  }

  /// Waits until there is an entry after one, for a while; the reactor is in use meanwhile.
  nonisolated(nonsending) func follow(_ id: String, _ sequence: Int) async throws -> Int {
    try await with(id) { [clock, options] _, held, _ in
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await held.wait(after: sequence) }
        group.addTask { try? await clock.sleep(options.lease) }
        await group.next()
        group.cancelAll()
      }
      return held.last
    }
  }
}
