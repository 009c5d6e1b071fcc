import ArgumentParser
import Foundation
import Readline

/// The program: a task manager to talk to, on a terminal or through a pipe.
@main
struct TaskListDemo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "TaskListDemo",
    abstract: "Tasks in a database, on screens that agree at all times.",
    discussion: """
      Without a command it talks: type 'help' for what it understands. With one, it does that one \
      thing and leaves: TaskListDemo add "Buy milk".

      Without a terminal, each line is settled before the next is read, only what is asked for is \
      printed, and the exit status is 1 if a line was not understood or not done.
      """)

  @Option(
    help: ArgumentHelp(
      "The database; by default tasks.sqlite in reactor-tasks in the XDG data directory.",
      valueName: "path"))
  var database: String?

  @Flag(help: "Keep the tasks in memory, and forget them at the end.")
  var inMemory = false

  @Flag(help: "Print lists and answers as JSON, one value a line.")
  var json = false

  @Argument(parsing: .captureForPassthrough, help: "One command to do, instead of talking.")
  var command: [String] = []

  func validate() throws {
    guard database == nil || !inMemory else {
      throw ValidationError("--database and --in-memory contradict each other; leave one out")
    }
    // All that is not an option of ours has been left to the command.
    if ["--help", "-h"].contains(command.first) { throw CleanExit.helpRequest(self) }
    guard database != "" else { throw ValidationError("--database names no file; give it a path") }
  }

  func run() async throws {
    // A file that may grow no further is an error of the database, and no end of the program.
    signal(SIGXFSZ, SIG_IGN)
    let isDone: Bool
    do {
      let service = try SQLiteTaskService(location, options: .fromEnvironment)
      defer { service.close() }
      isDone = words.isEmpty ? await talk(service) : await obey(service)
    } catch {
      Outlet.standard().printError(
        json ? ScriptOutput.error("\(error)").line : "error: \(error)")
      throw ExitCode.failure
    }
    if !isDone { throw ExitCode.failure }
  }

  /// - Returns: Whether everything was done, as far as somebody wants to know.
  private func talk(_ service: SQLiteTaskService) async -> Bool {
    let completions = Completions()
    let console = LineConsole(
      prompt: "> ", historyName: "reactor-tasks",
      completer: { line in completions.now.completion(of: line) },
      // A line like others: a screen may have something to ask first.
      ctrlD: "quit")
    let stage = console.isInteractive ? Stage(console, completions: completions) : nil
    let outlet = console.isInteractive ? Outlet.console(console) : .standard(isPerson: false)
    let printer = Printer(outlet: outlet, service: service, isJSON: json)
    let conversation = Conversation(console: console, stage: stage, printer: printer)
    _ = await conversation.run(ListScreen(service: service, printer: printer))
    console.close()
    return console.isInteractive || conversation.record.isClean
  }

  /// - Returns: Whether the one command was done.
  private func obey(_ service: SQLiteTaskService) async -> Bool {
    await OneCommand(words, Printer(outlet: .standard(), service: service, isJSON: json)).run()
  }

  /// The words of the command; a `--` before them only says that they begin.
  private var words: [String] { Array(command.first == "--" ? command.dropFirst() : command[...]) }

  private var location: DatabaseLocation {
    if inMemory { return .inMemory }
    return database.map { .file($0) } ?? .standard
  }
}
