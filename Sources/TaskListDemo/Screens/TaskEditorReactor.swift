import Reactor
import TaskStore

/// The editor of a new or an existing task.
actor TaskEditorReactor: LanedReactor, MutationTransforming {
  /// The task to edit.
  enum Subject: Sendable, Equatable {
    case new(title: String, section: String)
    case task(TaskItem, section: String)
  }

  /// The actions of the user.
  enum Action: Sendable, Equatable {
    case setTitle(String)
    case setMemo(String?)
    case save
    /// Leaves; asks first if changes would be lost.
    case cancel
    /// The two answers to that question.
    case leave, stay
  }

  /// The changes of the state.
  enum Mutation: Sendable, Equatable {
    case setTitle(String)
    case setMemo(String?)
    case ask(Bool)
    case beginSaving
    case fail(String)
    case refuse(String)
    /// The task was changed elsewhere.
    case follow(TaskItem)
    /// The task was deleted elsewhere.
    case taskRemoved
    case dismiss(TaskOutcome?)
  }

  /// The state that a screen shows.
  struct State: Sendable, Equatable {
    /// The task as it is stored; `nil` for a new one.
    var task: TaskItem?
    /// The name of the section, also for a new task.
    var section: String
    var title: String
    var memo: String?
    /// Whether it asks if the changes may be lost.
    var isAsking = false
    var isSaving = false
    /// Whether the opened task has been deleted meanwhile.
    var isLost = false
    /// Whether the screen is to close.
    var isDismissed = false
    /// What was done; fires once for each.
    @Pulse var outcome: TaskOutcome?
    /// Reports why something was not done; fires once for each.
    @Pulse var failure: String?

    init(_ subject: Subject) {
      switch subject {
      case .new(let title, let section): (self.title, self.section) = (title, section)
      case .task(let task, let section):
        (self.task, title, memo, self.section) = (task, task.title, task.memo, section)
      }
    }

    var heading: String { task == nil && !isLost ? "New task" : "Edit task" }

    var canSave: Bool { !title.allSatisfy(\.isWhitespace) && !isSaving }

    /// Whether leaving loses changes; a change that was reverted does not count.
    var hasChanges: Bool { !edits.isEmpty }

    /// The changes that saving makes.
    var edits: [TaskEdit] {
      var edits: [TaskEdit] = []
      if title != task?.title ?? "" { edits.append(.title(title)) }
      if memo != task?.memo { edits.append(.memo(memo)) }
      return edits
    }
  }

  let initialState: State
  let pipeline = Pipeline()
  let service: any TaskService

  init(_ subject: Subject, service: any TaskService) {
    initialState = State(subject)
    self.service = service
  }

  /// One save at a time; a further one meanwhile is ignored.
  func lane(for action: Action) -> Lane? { action == .save ? .leading("save") : nil }

  /// Converts an action to mutations.
  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .setTitle(let title): .just(.setTitle(title))
    case .setMemo(let memo): .just(.setMemo(memo.flatMap { $0.isEmpty ? nil : $0 }))
    case .save: save()
    case .cancel: currentState.hasChanges ? .just(.ask(true)) : .just(.dismiss(nil))
    case .leave where currentState.isAsking: .just(.dismiss(nil))
    case .stay where currentState.isAsking: .just(.ask(false))
    case .leave, .stay: .just(.refuse("nothing was asked; 'save' or 'cancel' leads back"))
    }
  }

  /// Changes of the task by other screens and programs are shown as well.
  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    mutation.merging(
      service.events().compactMap { [weak self] event in await self?.follow(event) })
  }

  /// Applies a mutation to the state.
  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setTitle(let title): (state.title, state.isAsking) = (title, false)
    case .setMemo(let memo): (state.memo, state.isAsking) = (memo, false)
    case .ask(let isAsking): state.isAsking = isAsking
    case .beginSaving: (state.isSaving, state.isAsking) = (true, false)
    case .fail(let reason): (state.failure, state.isSaving) = (reason, false)
    case .refuse(let reason): state.failure = reason
    case .follow(let task): state.follow(task)
    case .taskRemoved:
      (state.task, state.isLost, state.isSaving) = (nil, true, false)
      state.failure = "this task has been deleted meanwhile; 'save' adds it anew"
    case .dismiss(let outcome):
      (state.isDismissed, state.isSaving) = (true, false)
      if let outcome { state.outcome = outcome }
    }
  }
}

extension TaskEditorReactor.State {
  /// Adopts changes made elsewhere, except in fields that are being edited here.
  fileprivate mutating func follow(_ newer: TaskItem) {
    guard let old = task else { return }
    if title == old.title { title = newer.title }
    if memo == old.memo { memo = newer.memo }
    task = newer
  }
}

extension TaskEditorReactor {
  private func save() -> MutationStream<Mutation> {
    let state = currentState
    guard state.canSave else {
      return .just(.refuse("a task needs a title; 'title TEXT' gives it one"))
    }
    guard state.hasChanges else { return .just(.dismiss(nil)) }
    return .run { emit in
      await emit(.beginSaving)
      do throws(TaskError) {
        let outcome = try await self.service.perform(Self.change(state))
        await emit(.dismiss(outcome))
      } catch {
        // The event may have arrived while saving, when events are ignored.
        await emit(error == .taskNotFound ? .taskRemoved : .fail(error.description))
      }
    }
  }

  private static func change(_ state: State) -> TaskChange {
    if let task = state.task { return .edit(task.id, state.edits) }
    return .add(TaskDraft(title: state.title, memo: state.memo, section: state.section))
  }

  /// Returns the mutation for a change made elsewhere; nil if it concerns another task.
  private func follow(_ event: TaskEvent) async -> Mutation? {
    guard let task = currentState.task, !currentState.isSaving else { return nil }
    switch event.kind {
    case .updated(let tasks): return tasks.first { $0.id == task.id }.map { .follow($0) }
    case .deleted(let ids): return ids.contains(task.id) ? .taskRemoved : nil
    case .created, .moved: return nil
    case .changed:
      do throws(TaskError) {
        return try await service.task(task.id).map { .follow($0) } ?? .taskRemoved
      } catch {
        return .refuse(error.description)
      }
    }
  }
}
