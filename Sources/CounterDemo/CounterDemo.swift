import ArgumentParser
import DemoSupport
import Reactor
import ReactorJournal
import ReactorREPL

/// The program's entry point: on the main thread, before there are other threads.
@main enum Main {
  @MainActor static func main() async {
    StandardDescriptors.reserve()
    await CounterDemo.runDemo()
  }
}

/// The program: a counter at a terminal or in a pipe.
struct CounterDemo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "CounterDemo",
    abstract: "A counter whose screen follows a reactor's state while you type.",
    discussion: """
      Commands, one a line:
      \(CounterCommand.helpText)

      Without a terminal, each line is settled before the next is read, every distinct state is \
      printed as one line, and the exit status is 1 if a line was not understood or not done.
      """,
    version: "0.2.0-dev")

  // Unconditional, so that -1 is parsed as a delay, and rejected with the reason.
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("How long a change takes.", valueName: "milliseconds"))
  var delay = 500
  @Flag(help: "Begin with the value of the last run, and keep what is done: it survives a kill.")
  var keep = false
  @Flag(help: "Print each step of the reactor, with what caused it, to standard error.")
  var observe = false

  func validate() throws {
    if delay < 0 { throw ValidationError("the delay cannot be negative; try --delay 0") }
  }

  func run() async throws {
    let counter = try await open()
    let console = ReactorConsole(history: "reactor-counter", showsReports: false)
    let outlet = console.outlet
    let reports = JournalReports(on: outlet)
    if observe { counter.addObserver(CounterObserver { outlet.printMessage($0, on: .error) }) }
    let screen = CounterScreen(reactor: counter, outlet: outlet, reports: reports)
    let status = await console.run(screen)
    if reports.haveFailed || status != 0 { throw ExitCode.failure }
  }

  /// Opens the counter of the last run, or a new one in memory.
  private func open() async throws -> CounterReactor {
    let file = try keep ? StateDirectory.path(of: "journal.sqlite", in: "reactor-counter") : nil
    let journal = try await Journal(file.map { .sqlite(at: $0) } ?? .inMemory)
    return try await journal.open("1") { CounterReactor(delay: .milliseconds(delay)) }
  }
}
