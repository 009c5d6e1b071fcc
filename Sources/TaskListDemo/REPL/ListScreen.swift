import CommandShell
import Foundation
import Reactor
import ReactorREPL
import TaskStore

/// The list of tasks, as a screen.
struct ListScreen: CompletingScreen {
  typealias R = TaskListReactor
  typealias State = TaskListReactor.State

  let reactor: TaskListReactor
  let service: any TaskService
  /// Prints the rows if they are not painted.
  let printer: Printer
  private let typed = TypedSearch()

  init(service: any TaskService, printer: Printer) {
    let height = printer.outlet.paintedWindow()?.paneRows
    reactor = TaskListReactor(
      service: service, rows: ListScreenView.pageSize(height: height ?? 24),
      showsRows: printer.outlet.isInteractive)
    self.service = service
    self.printer = printer
  }

  /// What is painted has to be read first.
  func begin() async { if !printer.isNeeded { reactor.send(.refresh) } }

  // MARK: From lines to actions

  func perform(_ command: ListCommand) async throws -> ScreenStep<R> {
    switch command {
    case .list(let row): return try await list(from: row)
    case .refresh: return send(.refresh)
    case .filter(let filter): return choose(.filter(filter), isPrinted: printer.printsChoices)
    case .search(let words):
      typed.record(words)
      return choose(.search(words), isPrinted: printer.printsChoices || !words.isEmpty)
    case .section(let name): return choose(.section(name), isPrinted: printer.printsChoices)

    case .add(let title, let memo, let section):
      return send(.add(title: title, memo: memo, section: section))
    case .setDone(let tasks, let isDone): return send(.setDone(tasks, isDone))
    case .rename(let task, let title): return send(.rename(task, title: title))
    case .memo(let task, let text): return send(.memo(task, text: text))
    case .delete(let tasks): return send(.delete(tasks))
    case .move(let task, let place): return send(.move(task, to: place))
    case .clearDone: return send(.clearDone)
    case .undo: return send(.undo)
    case .redo: return send(.redo)
    case .exportFile(let path): return send(.exportFile(try printer.exportPath(path)))
    case .importFile(let path): return send(.importFile(try printer.importPath(path)))
    case .sample: return send(.addSample)

    case .toggleEditing: return send(.toggleEditing)
    case .row(let row): return try await open { .tap(row: row, $0) }
    case .edit(let task): return try await open { .edit(task, $0) }
    case .new(let title): return try await open { .new(title: title, $0) }
    case .statistics: return try await StatisticsScreen.step(service, printer)
    case .help(let topic): return .help(topic)
    case .quit: return .quit
    }
  }

  private func send(_ action: TaskListReactor.Action) -> ScreenStep<R> {
    .background(reactor.send(action))
  }

  /// The result of an action that may open another screen is awaited: the next line is for that
  /// screen.
  private func open(
    _ action: (Reply<TaskEditorReactor.Subject?>) -> TaskListReactor.Action
  ) async throws -> ScreenStep<R> {
    guard let subject = try await reactor.ask(action) else { return .done }
    return .open(EditorScreen(editing: subject, service: service, printer: printer))
  }

  /// Sends a choice of what to show.
  ///
  /// A script then requests the list itself, except for a search.
  private func choose(_ action: TaskListReactor.Action, isPrinted: Bool) -> ScreenStep<R> {
    let receipt = reactor.send(action)
    return isPrinted && printer.isNeeded ? .waitAndShow(receipt) : .background(receipt)
  }

  var unpainted: UnpaintedRows? { UnpaintedRows("the tasks", printedBy: "list") }

  func printRows(to outlet: Outlet) async throws(TaskError) {
    try await printer.printList(await reactor.currentState.window.query, fromRow: 1)
  }

  private func list(from row: Int) async throws(TaskError) -> ScreenStep<R> {
    if printer.isNeeded {
      try await printer.printList(await reactor.currentState.window.query, fromRow: row)
      return .done
    }
    return send(.show(fromRow: row))
  }

  func handleEdit(_ edit: LineEdit) -> Bool {
    guard let words = typed.action(for: edit) else { return false }
    reactor.send(words)
    return true
  }

  func turn(pages: Int) { reactor.send(.turn(pages: pages)) }

  /// A task that the editor has added is scrolled into view.
  func screenClosed(_ other: any Screen) async {
    guard let editor = other as? EditorScreen else { return }
    if let added = await editor.added { await reactor.send(.reveal(added)).settled }
  }

  func windowChanged(to window: ConsoleWindow) {
    reactor.send(.resize(rows: ListScreenView.pageSize(height: window.paneRows)))
  }

  // MARK: From states to content

  var notices: [NoticePulse<State>] {
    [.failure(\.$failure), NoticePulse(\.$outcome, printer.notice)]
  }

  func content(of state: State) -> ScreenContent {
    let page = state.page.revision < 0 ? nil : state.page
    return ScreenContent(
      prompt: state.isEditing ? "editing > " : "> ", isBusy: state.isLoading
    ) { window, status, spinner in
      var status = status
      status.activity = Self.activity(of: state, spinner)
      let view = ListScreenView(
        page: page, query: state.window.query, isEditing: state.isEditing, status: status,
        times: TimeLabel(now: Date()))
      return view.rows(columns: window.columns, height: window.paneRows)
    }
  }

  private static func activity(of state: State, _ spinner: Spinner) -> ScreenStatus.Activity? {
    if let progress = state.progress {
      let fraction = Double(progress.done) / Double(max(progress.total, 1))
      return .progress("importing", fraction: fraction)
    }
    guard state.isLoading else { return nil }
    return .working(state.isChanging ? "working" : "loading", spinner)
  }

  func completion(of state: State) -> CommandCompletion {
    TaskCompletion(
      commands: ListCommand.table.infos, sections: state.page.sections.map(\.name),
      rows: state.page.tasks.enumerated().map { index, task in
        TaskCompletion.Row(
          number: state.page.offset + index + 1, title: task.title, isDone: task.isDone,
          id: task.id)
      },
      lookUp: TaskLookup(service: service, query: state.window.query).others,
      files: FileNames.inside
    ).ofCommands
  }
}

/// Converts a line that begins with `search` to searches while it is being typed.
///
/// Holds: `state`, guarded by its own lock.
final class TypedSearch: Sendable {
  private struct State: Sendable {
    /// The last search that was entered.
    var settled = ""
    /// The search that the list shows instead, while it is being typed.
    var shown: String?
  }

  private let state = Locked(State())

  /// Records a search that was entered.
  func record(_ words: String) { state.withLock { $0 = State(settled: words) } }

  /// Returns the action for an edit of the line, if there is one.
  func action(for edit: LineEdit) -> TaskListReactor.Action? {
    switch edit {
    case .changed(let line): state.withLock { Self.search(for: Self.words(in: line), &$0) }
    case .dropped: state.withLock { Self.search(for: nil, &$0) }
    // The command itself follows.
    case .entered: nil
    }
  }

  private static func search(for words: String?, _ state: inout State) -> TaskListReactor.Action? {
    guard let words else {
      defer { state.shown = nil }
      return state.shown == nil ? nil : .search(state.settled)
    }
    guard words != state.shown ?? state.settled else { return nil }
    state.shown = words
    return .type(search: words)
  }

  /// The search in a line; `nil` if it is another command.
  private static func words(in line: String) -> String? {
    // No line of a paste is a command yet.
    guard !line.contains("\n"), let words = try? ShellWords.split(line), words.count > 1,
      words[0].text.lowercased() == "search",
      case .search(let text)? = try? ListCommand(line: line)
    else { return nil }
    return text
  }
}
