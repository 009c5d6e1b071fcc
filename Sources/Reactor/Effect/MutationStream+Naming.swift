extension MutationStream {
  /// The same effect with a name, by which a test finds it and puts another in its place.
  ///
  /// ```swift
  /// case .refresh: .run { emit in await emit(.found(try await self.service.items())) }
  ///   .named("load")
  /// ```
  ///
  /// **Runs** as the effect does. What a stream emits at once is no effect, and has no name. The
  /// name stays with what is made of the effect by ``map(_:)``, ``around(_:)``,
  /// ``onEnd(clock:_:)``, ``priority(_:)`` and ``cancelledByDrain()``.
  ///
  /// - Parameter name: The name; several effects may have the same.
  /// - Returns: The effect.
  public func named(_ name: String) -> MutationStream {
    changedIfEffect(.name(name))
  }

  /// The same effect in a task of this priority.
  ///
  /// ```swift
  /// case .index: .run { emit in … }.priority(.background)
  /// ```
  ///
  /// Without it, an effect has the priority of whoever has its reactor take the action.
  ///
  /// **Runs** as the effect does, also within the turn of its action. Of a stream with parts, those
  /// of a `merge(_:)` have it each; in a `concat(_:)`
  /// the whole has one, and those of its parts do not count. Whoever waits for the effect's task,
  /// its own child tasks above all, may raise it, as in Swift at large.
  ///
  /// - Parameter priority: The priority.
  /// - Returns: The effect.
  public func priority(_ priority: TaskPriority) -> MutationStream {
    changedIfEffect(.priority(priority))
  }

  /// The same effect, which a drain cancels instead of waiting for it.
  ///
  /// ```swift
  /// case .opened(let time):
  ///   .run { emit in
  ///     try await self.clock.sleep(for: time)
  ///     await emit(.closed)
  ///   }
  ///   .cancelledByDrain()
  /// ```
  ///
  /// For what has no end of its own, or a late one: a timer, a poll, a stream that is watched.
  /// When ``Reactor/Reactor/stop(_:)`` with `drain` begins, it is as if there were no `drain` for
  /// it: its action ends as `reactorEnded`. One that would begin from then on is not begun:
  /// `neverBegun`. What waits for its turn behind it is done. Of a reactor that is kept,
  /// `recovered()` begins it again.
  ///
  /// **Runs** as the effect does. Of a stream with parts, those of a `merge(_:)` are
  /// told apart; a `concat(_:)` is cancelled as a whole, if that is said of the whole, or of each
  /// effect in it.
  ///
  /// - Returns: The effect.
  public func cancelledByDrain() -> MutationStream {
    changedIfEffect(.cancelledByDrain)
  }

  /// The same with another stream in place of each effect of a name.
  ///
  /// ```swift
  /// let stream = await list.mutate(action: .refresh).replacing("load", with: .just(.found(items)))
  /// ```
  ///
  /// It is looked for in the parts of `concat(_:)` and
  /// `merge(_:)` as well, but not inside an effect that has something around
  /// it; there, the outermost name counts. For a reactor that runs, see
  /// ``Reactor/Reactor/replaceEffect(_:with:)``.
  ///
  /// Of streams that are nested in each other, it costs the square of the number of levels.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - stream: What is to run instead.
  /// - Returns: The stream; the same where there is no such effect.
  public func replacing(_ name: String, with stream: MutationStream) -> MutationStream {
    guard case .tree(let tree) = storage, tree.names.contains(name) else { return self }
    return MutationStream(part: tree.replacing(name, with: stream.part))
  }

  /// The names of its effects, in order; those without one are left out.
  public var effectNames: [String] {
    if case .tree(let tree) = storage { tree.names } else { [] }
  }
}
