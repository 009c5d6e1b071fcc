import Foundation
import ReactorREPL
import TaskStore

/// The program with parsed arguments: a task manager at a terminal or in a pipe, or for one
/// command.
struct Program: Equatable {
  var database: String?
  var inMemory = false
  var isJSON = false
  /// The single command; empty to read commands from the input.
  var words: [String] = []

  /// The exit status for invalid arguments of the program, the same as that of `ArgumentParser`.
  static let misuse: Int32 = 64

  /// - Returns: The exit status: whether every command was carried out.
  func run() async -> Int32 {
    // A file that must not grow any further is an error of the database; it must not end the
    // program.
    signal(SIGXFSZ, SIG_IGN)
    do {
      let service = try SQLiteTaskService(location, options: .fromEnvironment)
      defer { service.close() }
      return words.isEmpty ? await readCommands(service) : await perform(service)
    } catch {
      Self.printError("\(error)", isJSON: isJSON)
      return EXIT_FAILURE
    }
  }

  /// Prints an error that occurs before there is a console.
  static func printError(_ error: String, isJSON: Bool) {
    var outlet = Outlet.standard()
    outlet.isJSON = isJSON
    outlet.printFailure(error)
  }

  private func readCommands(_ service: SQLiteTaskService) async -> Int32 {
    let console = ReactorConsole(history: "reactor-tasks", isJSON: isJSON)
    let printer = Printer(outlet: console.outlet, service: service)
    return await console.run(ListScreen(service: service, printer: printer))
  }

  private func perform(_ service: SQLiteTaskService) async -> Int32 {
    var outlet = Outlet.standard()
    outlet.isJSON = isJSON
    let printer = Printer(outlet: outlet, service: service, naming: .ids)
    return await OneCommand(words, printer).run()
  }

  private var location: DatabaseLocation {
    if inMemory { return .inMemory }
    return database.map { .file($0) } ?? .standard
  }
}
