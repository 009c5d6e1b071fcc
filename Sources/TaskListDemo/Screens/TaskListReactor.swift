import Reactor
import TaskStore

/// The list of tasks: its visible part, and the user's actions.
///
/// The service is the source of truth. Changes made by this screen, other screens and other
/// programs arrive as events, so all open screens agree.
actor TaskListReactor: LanedReactor, MutationTransforming {
  /// The actions of the user.
  enum Action: Sendable, Equatable {
    // Choosing what to show.
    case refresh
    case show(fromRow: Int)
    /// Down if `pages` is positive, else up.
    case turn(pages: Int)
    /// Scrolls to a task, if the list has it and the window does not show it.
    case reveal(TaskItem.ID)
    case resize(rows: Int)
    case filter(TaskQuery.Filter)
    /// While it is being typed: the newest text is searched, after a pause in typing.
    case type(search: String)
    case search(String)
    case section(String?)

    // Changing tasks.
    case add(title: String, memo: String?, section: String?)
    case setDone(TaskSelection, Bool)
    case rename(TaskReference, title: String)
    case memo(TaskReference, text: String?)
    case delete(TaskSelection)
    case move(TaskReference, to: TaskReference)
    case clearDone
    case undo, redo
    case importFile(String)
    case exportFile(String)
    case addSample

    // Navigation: the reply is the task to edit, on a screen of its own.
    case toggleEditing
    /// A row's number alone: marks the task as done or open; in editing mode, opens the editor.
    case tap(row: Int, Reply<TaskEditorReactor.Subject?>)
    case edit(TaskReference, Reply<TaskEditorReactor.Subject?>)
    case new(title: String?, Reply<TaskEditorReactor.Subject?>)
  }

  /// The changes of the state.
  enum Mutation: Sendable, Equatable {
    case setWindow(TaskWindow)
    /// Scrolls the same list to another row.
    case scroll(to: Int, of: TaskQuery)
    case show(TaskPage, in: TaskWindow)
    case toggleEditing
    case begin
    case progress(TaskProgress)
    case done(TaskOutcome)
    case fail(String)
    case end
  }

  /// The state that a screen shows.
  struct State: Sendable, Equatable {
    /// The part of the list to show.
    var window = TaskWindow()
    /// The rows that were read last; while the window is being read, those of an earlier window.
    var page = TaskPage.empty
    var isEditing = false
    /// Whether the window is being read.
    var isReading = false
    /// Whether a change is in progress.
    var isChanging = false
    /// The progress of a long change.
    var progress: TaskProgress?
    /// What was done; fires once for each.
    @Pulse var outcome: TaskOutcome?
    /// Reports why something was not done; fires once for each.
    @Pulse var failure: String?

    var isLoading: Bool { isReading || isChanging }

    /// The section that is shown; nil for all.
    var section: TaskSection? { page.sections.first { $0.id == window.query.section } }

    /// The section of tasks that are added without one.
    var homeSection: String { section?.name ?? TaskSection.standardName }
  }

  let initialState: State
  let pipeline = Pipeline()
  let service: any TaskService
  /// Whether a number means a row that the user sees; if not, it means the row at the time of the
  /// change.
  let showsRows: Bool
  private let clock: any Clock<Duration>

  /// Creates a list that has not been read yet; send it `refresh`.
  ///
  /// - Parameters:
  ///   - service: The service that stores the tasks.
  ///   - rows: How many of them fit on the screen.
  ///   - showsRows: Whether they are on a screen at all.
  ///   - clock: The clock that measures pauses in typing.
  init(
    service: any TaskService, rows: Int = 20, showsRows: Bool = true,
    clock: any Clock<Duration> = ContinuousClock()
  ) {
    self.service = service
    self.showsRows = showsRows
    self.clock = clock
    initialState = State(window: TaskWindow(limit: rows))
  }

  /// One read at a time, the newest; changes one after the other, each based on the previous one's
  /// result.
  func lane(for action: Action) -> Lane? {
    switch action {
    case .refresh, .show, .resize, .filter, .search, .section: .latest("read")
    case .type: .latest("type").debounced(for: .milliseconds(150), clock: clock)
    // Each page is turned, however fast the keys are pressed.
    case .turn, .reveal: .sequential("scroll")
    case .toggleEditing: nil
    default: .sequential("change")
    }
  }

  /// Converts an action to mutations.
  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .refresh: changeWindow { _ in }
    case .show(let row): changeWindow { $0.offset = max(row - 1, 0) }
    case .turn(let pages): turn(pages)
    case .reveal(let id): .run { emit in await self.reveal(id, emit) }
    case .resize(let rows): resize(to: max(rows, 1))
    case .filter(let filter): changeWindow { $0.search(\.filter, filter) }
    case .type(let text): changeWindow { $0.search(\.search, text) }
    case .search(let text): changeWindowAtOnce { $0.search(\.search, text) }
    case .section(nil): changeWindow { $0.search(\.section, nil) }
    case .section(let name?): showSection(named: name)

    case .add(let title, let memo, let section): add(title, memo, to: section)
    case .setDone(let tasks, let isDone): change(tasks) { .setDone($0, isDone) }
    case .rename(let task, let title): change(task) { .edit($0.id, [.title(title)]) }
    case .memo(let task, let text): change(task) { .edit($0.id, [.memo(text)]) }
    case .delete(let tasks): change(tasks) { .delete($0) }
    case .move(let task, let place): move(task, to: place)
    case .clearDone: clearDone()
    case .undo: undo()
    case .redo: redo()
    case .importFile(let path): importFile(path)
    case .exportFile(let path): exportFile(path)
    case .addSample: addSample()

    case .toggleEditing: .just(.toggleEditing)
    case .tap(let row, let reply): tap(row, reply)
    case .edit(let task, let reply): edit(task, reply)
    case .new(let title, let reply): new(title, reply)
    }
  }

  /// Changes by other screens and programs are shown as well.
  func transform(mutation: Mutations) -> some AsyncSequence<Mutation, Never> {
    mutation.merging(
      service.events().compactMap { [weak self] event in await self?.mutation(after: event) })
  }

  /// Applies a mutation to the state.
  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .setWindow(let window):
      state.window = window
      state.isReading = true
    case .scroll(let offset, let query):
      guard query == state.window.query else { return }
      state.window.offset = offset
      state.isReading = true
    case .show(let page, let window):
      // A page of another window, or an older page, is out of date.
      guard window == state.window else { return }
      state.isReading = false
      guard page.revision >= state.page.revision else { return }
      state.page = page
      state.window.offset = page.offset
    case .toggleEditing: state.isEditing.toggle()
    case .begin: state.isChanging = true
    case .progress(let progress): state.progress = progress
    case .done(let outcome): state.outcome = outcome
    case .fail(let reason):
      state.isReading = false
      state.failure = reason
    case .end:
      state.isChanging = false
      state.progress = nil
    }
  }
}

/// The part of a list that a screen shows.
struct TaskWindow: Hashable, Sendable {
  var query = TaskQuery()
  /// The first row, from 0.
  var offset = 0
  /// How many rows fit.
  var limit = 20

  /// Changes the query, and scrolls to the top.
  mutating func search<Value>(_ field: WritableKeyPath<TaskQuery, Value>, _ value: Value) {
    query[keyPath: field] = value
    offset = 0
  }
}

extension TaskPage {
  /// A list that has not been read yet.
  static let empty = TaskPage(tasks: [], offset: 0, total: 0, sections: [], revision: -1)

  /// Whether there are several sections.
  func hasHeadings(in query: TaskQuery) -> Bool { query.section == nil && sections.count > 1 }

  /// How many of its tasks fit into a number of rows, including the headings.
  func shownCount(rows: Int, in query: TaskQuery) -> Int {
    var (used, section): (Int, TaskSection.ID?) = (0, nil)
    for (shown, task) in tasks.enumerated() {
      // A heading without a task below it would be useless.
      let needed = hasHeadings(in: query) && task.sectionID != section ? 2 : 1
      guard used + needed <= rows || used == 0 else { return shown }
      section = task.sectionID
      used += needed
    }
    return tasks.count
  }

  /// The task in a row of the list, from 1, if it is on this page.
  func task(inRow row: Int) -> TaskItem? {
    tasks.indices.contains(row - 1 - offset) ? tasks[row - 1 - offset] : nil
  }
}
