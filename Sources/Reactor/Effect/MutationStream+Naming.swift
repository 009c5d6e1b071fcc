extension MutationStream {
  /// Gives the effect a name, with which a test finds and replaces it.
  ///
  /// ```swift
  /// case .refresh: .run { emit in await emit(.found(try await self.service.items())) }
  ///   .named("load")
  /// ```
  ///
  /// **Runs** as the effect does. Mutations that a stream emits at once are not an effect, and have
  /// no name. The effect keeps its name with ``map(_:)``, ``around(_:)``, ``onEnd(clock:_:)``,
  /// ``priority(_:)`` and ``cancelledByDrain()``.
  ///
  /// - Parameter name: The name; several effects may have the same.
  /// - Returns: The effect.
  public func named(_ name: String) -> MutationStream {
    changedIfEffect(.name(name))
  }

  /// Runs the effect in a task of this priority.
  ///
  /// ```swift
  /// case .index: .run { emit in … }.priority(.background)
  /// ```
  ///
  /// Without it, an effect has the priority of the task that makes the reactor take the action.
  ///
  /// **Runs** as the effect does, also within the turn of its action. Each part of a `merge(_:)`
  /// has the priority. In a `concat(_:)` the whole has one, and the priorities of its parts are
  /// ignored. Tasks that wait for the effect's task, above all its own child tasks, may raise its
  /// priority, as everywhere in Swift.
  ///
  /// - Parameter priority: The priority.
  /// - Returns: The effect.
  public func priority(_ priority: TaskPriority) -> MutationStream {
    changedIfEffect(.priority(priority))
  }

  /// Makes a drain cancel the effect instead of waiting for it.
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
  /// For an effect that ends late or never by itself: a timer, a poll, a stream that is observed.
  /// When ``Reactor/Reactor/stop(_:)`` with `drain` begins, the effect is treated as without
  /// `drain`: its action ends as `reactorEnded`. Such an effect that would begin later does not
  /// begin: its action ends as `neverBegun`, although `mutate` was called. Actions that wait behind
  /// it are still performed. In a journaled reactor, `recovered()` can begin it again.
  ///
  /// **Runs** as the effect does. The parts of a `merge(_:)` are treated separately. A `concat(_:)`
  /// is cancelled as a whole, if this is set for the whole, or for each effect in it.
  ///
  /// - Returns: The effect.
  public func cancelledByDrain() -> MutationStream {
    changedIfEffect(.cancelledByDrain)
  }

  /// Replaces each effect of a name by another stream.
  ///
  /// ```swift
  /// let stream = await list.mutate(action: .refresh).replacing("load", with: .just(.found(items)))
  /// ```
  ///
  /// The parts of `concat(_:)` and `merge(_:)` are searched as well, but not the inside of an
  /// effect that is wrapped; there, the outermost name counts. For a running reactor, see
  /// ``Reactor/Reactor/replaceEffect(_:with:)``.
  ///
  /// For nested streams, the time is quadratic in the number of levels.
  ///
  /// - Parameters:
  ///   - name: The name.
  ///   - stream: The stream to run instead.
  /// - Returns: The stream; the same if there is no such effect.
  public func replacing(_ name: String, with stream: MutationStream) -> MutationStream {
    guard case .tree(let tree) = storage, tree.names.contains(name) else { return self }
    return MutationStream(part: tree.replacing(name, with: stream.part))
  }

  /// The names of its effects, in order; effects without a name are left out.
  public var effectNames: [String] {
    if case .tree(let tree) = storage { tree.names } else { [] }
  }
}
