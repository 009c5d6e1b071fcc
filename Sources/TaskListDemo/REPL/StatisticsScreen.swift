import CommandShell
import Reactor
import ReactorREPL
import TaskStore

/// The statistics, as a screen.
struct StatisticsScreen: Screen {
  typealias R = StatisticsReactor
  typealias State = StatisticsReactor.State

  let reactor: StatisticsReactor
  private let printer: Printer

  init(service: any TaskService, printer: Printer) {
    reactor = StatisticsReactor(service: service)
    self.printer = printer
  }

  /// The step for `stats`: opens the screen, or prints its content for a script.
  static func step<Other: Reactor>(
    _ service: any TaskService, _ printer: Printer
  ) async throws(TaskError) -> ScreenStep<Other> {
    if printer.outlet.isInteractive { return .open(Self(service: service, printer: printer)) }
    try await printer.printSections()
    return .done
  }

  func begin() async throws(TaskError) { try await refresh() }

  /// Counts, and prints the result if it cannot be painted.
  private func refresh() async throws(TaskError) {
    if printer.isNeeded { try await printer.printSections() }
    if printer.outlet.paintedWindow() != nil { await reactor.send(.refresh).settled }
  }

  func perform(_ command: StatisticsCommand) async throws(TaskError) -> ScreenStep<R> {
    switch command {
    case .refresh:
      try await refresh()
      return .done
    case .back: return .back
    }
  }

  var notices: [NoticePulse<State>] { [.failure(\.$failure)] }

  func content(of state: State) -> ScreenContent {
    ScreenContent(prompt: "stats > ", isBusy: state.isLoading) { window, status, spinner in
      var status = status
      if state.isLoading { status.activity = .working("counting", spinner) }
      let view = StatisticsView(
        sections: state.isLoading ? nil : state.sections, status: status)
      return view.rows(columns: window.columns, height: window.paneRows)
    }
  }
}
