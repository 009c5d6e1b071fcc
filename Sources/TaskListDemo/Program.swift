import Foundation
import ReactorREPL
import TaskStore

/// The program, once its arguments are understood: a task manager to talk to, on a terminal or
/// through a pipe, or to tell one thing.
struct Program: Equatable {
  var database: String?
  var inMemory = false
  var isJSON = false
  /// The one command to do; empty to talk.
  var words: [String] = []

  /// The exit status where the program's arguments make no sense, as that of `ArgumentParser`.
  static let misuse: Int32 = 64

  /// - Returns: The exit status: whether everything was done, as far as somebody wants to know.
  func run() async -> Int32 {
    // A file that may grow no further is an error of the database, and no end of the program.
    signal(SIGXFSZ, SIG_IGN)
    do {
      let service = try SQLiteTaskService(location, options: .fromEnvironment)
      defer { service.close() }
      return words.isEmpty ? await talk(service) : await obey(service)
    } catch {
      Self.complain("\(error)", isJSON: isJSON)
      return EXIT_FAILURE
    }
  }

  /// Says what is wrong before there is anything to work with.
  static func complain(_ error: String, isJSON: Bool) {
    var outlet = Outlet.standard()
    outlet.isJSON = isJSON
    outlet.printFailure(error)
  }

  private func talk(_ service: SQLiteTaskService) async -> Int32 {
    let console = ReactorConsole(history: "reactor-tasks", isJSON: isJSON)
    let printer = Printer(outlet: console.outlet, service: service)
    return await console.run(ListScreen(service: service, printer: printer))
  }

  private func obey(_ service: SQLiteTaskService) async -> Int32 {
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
