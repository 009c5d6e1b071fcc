import ReactorRuntime

extension Reactor {
  /// Sends every element of a sequence as an action, for as long as the result is retained.
  ///
  /// ```swift
  /// final class Screen {
  ///   var taps: ActionFeed?
  ///
  ///   func show(_ counter: CounterReactor) {
  ///     taps = counter.send(contentsOf: button.taps.map { _ in .increase })
  ///   }
  /// }
  /// ```
  ///
  /// Where a task has the same lifetime as the sequence, a loop is enough:
  /// `for await action in actions { reactor.send(action) }`. In a hook, merge the sequence instead;
  /// see <doc:Hooks>.
  ///
  /// **Runs on** a task of its own, which iterates the sequence from now on: no later element is
  /// missed.
  ///
  /// **Order**: as the sequence delivers the elements. If the inbox has a limit and suspends
  /// senders, the next element is requested once there is capacity; see ``sendWhenRoom(_:)``.
  ///
  /// **Ends** with the sequence, the reactor or the result; see ``ActionFeed``. A reactor that ends
  /// cancels the task that waits for the next element.
  ///
  /// - Parameter actions: The actions. It is iterated outside the reactor.
  /// - Returns: The feed; release it to end it.
  public nonisolated func send<S: AsyncSequence>(contentsOf actions: sending S) -> ActionFeed
  where S.Element == Action, S.Failure == Never, S.AsyncIterator: SendableMetatype {
    feed(from: actions, catching: nil)
  }

  /// Sends every element of a sequence that may fail as an action; see ``send(contentsOf:)``.
  ///
  /// ```swift
  /// let feed = screen.send(contentsOf: socket.messages.map { .received($0) }) { .failed("\($0)") }
  /// ```
  ///
  /// **If the sequence throws**, the error is converted into a last action, and the feed ends as
  /// ``ActionFeed/End/failed(_:)``. Nothing is reported: the error is in your hands.
  ///
  /// - Parameters:
  ///   - actions: The actions. It is iterated outside the reactor.
  ///   - failure: Converts the error into an action; `nil` sends none.
  /// - Returns: The feed; release it to end it.
  public nonisolated func send<S: AsyncSequence>(
    contentsOf actions: sending S, catching failure: @escaping @Sendable (S.Failure) -> Action?
  ) -> ActionFeed where S.Element == Action, S.AsyncIterator: SendableMetatype {
    feed(from: actions, catching: failure)
  }

  private nonisolated func feed<S: AsyncSequence>(
    from actions: sending S, catching failure: (@Sendable (S.Failure) -> Action?)?
  ) -> ActionFeed where S.Element == Action, S.AsyncIterator: SendableMetatype {
    let feed = ActionFeed()
    // Here, not in the task, so that elements before the task starts are not missed.
    let iterator = actions.makeAsyncIterator()
    let sender = PipelineTasks.make { [weak self, weak feed] in
      var iterator = iterator
      do throws(S.Failure) {
        while let action = try await iterator.next(isolation: nil) {
          if Task.isCancelled { return }
          guard await self?.isTaking(action) == true else {
            feed?.finish(.reactorEnded)
            return
          }
        }
        feed?.finish(.finished)
      } catch {
        if Task.isCancelled { return }
        if let action = failure?(error) { _ = await self?.isTaking(action) }
        feed?.finish(.failed(error))
      }
    }
    // Of outputs, since most reactors have few, and no element passes the filter.
    let end = outputs { _ in false }
    let watcher = PipelineTasks.make { [weak feed] in
      while await end.next() != nil {}
      feed?.finish(.reactorEnded)
    }
    feed.add([sender, watcher])
    return feed
  }

  /// Sends an action of a feed.
  ///
  /// - Returns: Whether the feed continues: false once the reactor has been stopped.
  private nonisolated func isTaking(_ action: Action) async -> Bool {
    // Checked first, so that an element which arrives at the end is not reported as refused.
    if pipeline.core.inbox.isClosed { return false }
    let receipt = await sendWhenRoom(action)
    return !receipt.isRefused || receipt.refusal != .stopped
  }
}
