import CommandShell
import Reactor
import ReactorREPL
import TaskStore

/// The editor of a task, as a screen.
struct EditorScreen: Screen {
  typealias R = TaskEditorReactor
  typealias State = TaskEditorReactor.State

  let reactor: TaskEditorReactor
  let service: any TaskService
  let printer: Printer

  init(
    editing subject: TaskEditorReactor.Subject, service: any TaskService, printer: Printer
  ) {
    reactor = TaskEditorReactor(subject, service: service)
    self.service = service
    self.printer = printer
  }

  /// If the task is not painted, it is printed, so that the user sees what to edit.
  func begin() async { if printer.outlet.isInteractive, printer.isNeeded { await show() } }

  private func show() async {
    let view = Self.view(of: await reactor.currentState, ScreenStatus())
    printer.printRows { view.rows(columns: $0, height: 1_000) }
  }

  /// The task that the editor has added.
  var added: TaskItem.ID? {
    get async {
      guard case nil = reactor.initialState.task else { return nil }
      return await reactor.currentState.outcome?.ids.first
    }
  }

  func perform(_ command: EditorCommand) async throws(TaskError) -> ScreenStep<R> {
    switch command {
    case .title(let title): return .wait(reactor.send(.setTitle(title)))
    case .memo(let memo): return .wait(reactor.send(.setMemo(memo)))
    case .save: return .wait(reactor.send(.save))
    case .cancel: return .wait(reactor.send(.cancel))
    case .leave: return .wait(reactor.send(.leave))
    case .stay: return .wait(reactor.send(.stay))
    case .show:
      await show()
      return .done
    case .statistics: return try await StatisticsScreen.step(service, printer)
    }
  }

  var notices: [NoticePulse<State>] {
    [.failure(\.$failure), NoticePulse(\.$outcome, printer.notice)]
  }

  func isClosed(_ state: State) -> Bool { state.isDismissed }

  /// A second request confirms the first.
  func canQuit() async -> Bool {
    let state = await reactor.currentState
    guard state.hasChanges, !state.isAsking else { return true }
    await reactor.send(.cancel).settled
    return false
  }

  func unsavedChanges(in state: State) -> String? {
    guard state.hasChanges else { return nil }
    return "the changes of \(TaskText.quoted(state.title)) were not saved; 'save' saves them"
  }

  func content(of state: State) -> ScreenContent {
    ScreenContent(
      prompt: state.isAsking ? "leave or stay? " : "edit > ", isBusy: state.isSaving
    ) { window, status, spinner in
      var status = status
      if state.isSaving { status.activity = .working("saving", spinner) }
      return Self.view(of: state, status).rows(columns: window.columns, height: window.paneRows)
    }
  }

  private static func view(of state: State, _ status: ScreenStatus) -> EditorScreenView {
    EditorScreenView(
      heading: state.heading, title: state.title, memo: state.memo, section: state.section,
      id: state.task.map { TaskName.text(of: $0.id) },
      isStored: state.task != nil, isChanged: state.hasChanges, canSave: state.canSave,
      asksToLeave: state.isAsking,
      status: status)
  }
}
