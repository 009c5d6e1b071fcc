import Reactor
import TaskStore

/// Changes: each is made by the service, and its event updates the list.
extension TaskListReactor {
  func add(_ title: String, _ memo: String?, to section: String?) -> MutationStream<Mutation> {
    let draft = TaskDraft(
      title: title, memo: memo, section: section ?? currentState.homeSection)
    return attempt(revealing: true) { _ throws(TaskError) in
      try await self.service.perform(.add(draft))
    }
  }

  /// Changes one task.
  func change(
    _ reference: TaskReference, _ change: @escaping @Sendable (TaskItem) -> TaskChange
  ) -> MutationStream<Mutation> {
    attemptOnNamed { () throws(TaskError) in
      let task = try await self.task(reference)
      return try await self.service.perform(change(task))
    }
  }

  /// Changes several tasks, as one step.
  func change(
    _ selection: TaskSelection, _ change: @escaping @Sendable ([TaskItem.ID]) -> TaskChange
  ) -> MutationStream<Mutation> {
    attemptOnNamed { () throws(TaskError) in
      let tasks = try await self.tasks(selection)
      return try await self.service.perform(change(tasks.map(\.id)))
    }
  }

  func move(_ reference: TaskReference, to place: TaskReference) -> MutationStream<Mutation> {
    attemptOnNamed { () throws(TaskError) in
      let (task, other) = (try await self.task(reference), try await self.task(place))
      return try await self.service.perform(.move(task.id, to: other.id))
    }
  }

  /// Tries to change tasks named by a user or a script.
  ///
  /// Another program may delete a task between the look-up and the change. For a script, which has
  /// not seen the list, the number then means the next task.
  private func attemptOnNamed(
    _ body: @escaping @Sendable () async throws(TaskError) -> TaskOutcome
  ) -> MutationStream<Mutation> {
    attempt { _ throws(TaskError) in
      while true {
        do throws(TaskError) {
          return try await body()
        } catch  where error == .taskNotFound && !self.showsRows {
          continue
        }
      }
    }
  }

  func clearDone() -> MutationStream<Mutation> {
    let section = currentState.window.query.section
    return attempt { _ throws(TaskError) in
      try await self.service.perform(.clearDone(section))
    }
  }

  func undo() -> MutationStream<Mutation> {
    attempt { _ throws(TaskError) in
      guard let outcome = try await self.service.undo() else {
        throw .refused("there is nothing to undo; a change makes something")
      }
      return outcome
    }
  }

  func redo() -> MutationStream<Mutation> {
    attempt { _ throws(TaskError) in
      guard let outcome = try await self.service.redo() else {
        throw .refused("there is nothing to redo; 'undo' makes something")
      }
      return outcome
    }
  }

  /// Adds the tasks of a file, and reports the progress.
  func importFile(_ path: String) -> MutationStream<Mutation> {
    attempt { emit throws(TaskError) in
      let (steps, step) = AsyncStream.makeStream(
        of: TaskProgress.self, bufferingPolicy: .bufferingNewest(1))
      async let outcome = self.importFile(path, telling: step)
      for await progress in steps { await emit(.progress(progress)) }
      return try await outcome.get()
    }
  }

  nonisolated private func importFile(
    _ path: String, telling step: AsyncStream<TaskProgress>.Continuation
  ) async -> Result<TaskOutcome, TaskError> {
    defer { step.finish() }
    do throws(TaskError) {
      return .success(try await service.importFile(path) { step.yield($0) })
    } catch {
      return .failure(error)
    }
  }

  /// Writes all tasks, not only the visible ones, to a file.
  func exportFile(_ path: String) -> MutationStream<Mutation> {
    attempt { _ throws(TaskError) in
      let count = try await self.service.exportFile(path)
      return TaskOutcome(
        summary: "exported \(count) task\(count == 1 ? "" : "s") to \(TaskText.quoted(path))",
        revision: await self.currentState.page.revision, tasks: [], isChange: false)
    }
  }

  /// Adds sample tasks.
  func addSample() -> MutationStream<Mutation> {
    attempt { _ throws(TaskError) in try await self.service.perform(.addAll(TaskDraft.sample)) }
  }

  /// Tries a change, shows its outcome, and reads the list again.
  ///
  /// With `revealing`, the first task that it concerns is scrolled into view.
  ///
  /// The result is shown when the change ends, even if the service's event has not arrived by then.
  func attempt(
    revealing: Bool = false,
    _ body: @escaping @Sendable (MutationEmitter<Mutation>) async throws(TaskError) -> TaskOutcome
  ) -> MutationStream<Mutation> {
    .run { emit in
      await emit(.begin)
      do throws(TaskError) {
        let outcome = try await body(emit)
        if revealing, self.showsRows, let id = outcome.ids.first {
          await self.reveal(id, emit)
        } else {
          await emit(self.read(self.currentState.window))
        }
        await emit(.done(outcome))
      } catch {
        await emit(.fail(error.description))
      }
      await emit(.end)
    }
  }
}

/// Navigation to the editor.
extension TaskListReactor {
  func tap(
    _ row: Int, _ reply: Reply<TaskEditorReactor.Subject?>
  ) -> MutationStream<Mutation> {
    if currentState.isEditing { return edit(.row(row), reply) }
    return .concat(
      change(.row(row)) { .setDone([$0.id], !$0.isDone) }, .run { _ in reply(nil) })
  }

  func edit(
    _ reference: TaskReference, _ reply: Reply<TaskEditorReactor.Subject?>
  ) -> MutationStream<Mutation> {
    .run { _ in
      do throws(TaskError) {
        let task = try await self.task(reference)
        let section = self.currentState.page.sections.first { $0.id == task.sectionID }
        reply(.task(task, section: section?.name ?? TaskSection.standardName))
      } catch {
        reply(throwing: error)
      }
    }
  }

  func new(
    _ title: String?, _ reply: Reply<TaskEditorReactor.Subject?>
  ) -> MutationStream<Mutation> {
    reply(.new(title: title ?? "", section: currentState.homeSection))
    return .empty
  }
}
