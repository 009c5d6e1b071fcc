import ArgumentParser

/// The program: a task manager to talk to, on a terminal or through a pipe.
@main
struct TaskListDemo: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "TaskListDemo", abstract: "Tasks, kept in a database, on screens that agree.")

  func run() async throws {}
}
