import ArgumentParser
import DemoSupport
import Foundation
import ReactorREPL

/// The program's entry point: on the main thread, before there are other threads.
@main
enum Main {
  @MainActor static func main() async {
    StandardDescriptors.reserve()
    await TaskListDemo.runDemo(errorsAsJSON: CommandLine.arguments.contains("--json"))
  }
}

/// The program's arguments, with their help and validation.
struct TaskListDemo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "TaskListDemo",
    abstract: "Tasks in a database, on screens that agree at all times.",
    discussion: """
      Without a command it talks: type 'help' for what it understands. With one, it does that one \
      thing and leaves: TaskListDemo add "Buy milk". 'TaskListDemo help' lists the commands.

      Without a terminal, each line is settled before the next is read, only what is asked for is \
      printed, and the exit status is 1 if a line was not understood or not done. It is 64 if these \
      options make no sense.
      """,
    version: "0.2.0-dev")

  @Option(
    help: ArgumentHelp(
      "The database; by default tasks.sqlite in reactor-tasks in the XDG data directory.",
      valueName: "path"))
  var database: String?

  @Flag(help: "Keep the tasks in memory, and forget them at the end.")
  var inMemory = false

  @Flag(help: "Print lists and answers as JSON, one value a line.")
  var json = false

  @Argument(
    parsing: .captureForPassthrough, help: "One command to do, instead of talking.",
    completion: .list(ListCommand.table.infos.flatMap(\.names)))
  var command: [String] = []

  func validate() throws {
    guard database == nil || !inMemory else {
      throw ValidationError("--database and --in-memory contradict each other; leave one out")
    }
    // Everything that is not an option of the program belongs to the command.
    if ["--help", "-h"].contains(command.first) { throw CleanExit.helpRequest(self) }
    if command.first == "--version" { throw CleanExit.message(Self.configuration.version) }
    guard database != "" else { throw ValidationError("--database names no file; give it a path") }
  }

  func run() async { Foundation.exit(await program.run()) }

  /// A `--` before the words of the command only marks their beginning.
  var program: Program {
    Program(
      database: database, inMemory: inMemory, isJSON: json,
      words: Array(command.first == "--" ? command.dropFirst() : command[...]))
  }
}
