import ArgumentParser
import Foundation
import Readline

/// Where the program begins: on the main thread, before there is any other.
@main
enum Main {
  @MainActor static func main() async {
    StandardDescriptors.reserve()
    guard let program = Program(plain: CommandLine.arguments.dropFirst()) else {
      return await TaskListDemo.main()
    }
    if await !program.run() { exit(EXIT_FAILURE) }
  }
}

/// The program's arguments, all that can be said about them, and what is wrong with them.
struct TaskListDemo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "TaskListDemo",
    abstract: "Tasks in a database, on screens that agree at all times.",
    discussion: """
      Without a command it talks: type 'help' for what it understands. With one, it does that one \
      thing and leaves: TaskListDemo add "Buy milk". 'TaskListDemo help' lists the commands.

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
    if await !program.run() { throw ExitCode.failure }
  }

  /// A `--` before the words of the command only says that they begin.
  var program: Program {
    Program(
      database: database, inMemory: inMemory, isJSON: json,
      words: Array(command.first == "--" ? command.dropFirst() : command[...]))
  }
}
