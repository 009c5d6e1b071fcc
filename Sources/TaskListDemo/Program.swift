import Foundation
import Readline

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
    Outlet.standard().say(isJSON ? ScriptOutput.error(error).line : "error: \(error)", on: .error)
  }

  private func talk(_ service: SQLiteTaskService) async -> Int32 {
    let completions = Completions()
    let console = LineConsole(
      prompt: "> ", historyName: "reactor-tasks",
      completer: { line in completions.now.completion(of: line) },
      // A line like others: a screen may have something to ask first.
      ctrlD: "quit", turnsPages: true)
    let stage = console.isInteractive ? Stage(console, completions: completions) : nil
    let outlet = console.isInteractive ? Outlet.console(console) : .standard(isPerson: false)
    let printer = Printer(outlet: outlet, service: service, isJSON: isJSON)
    let conversation = Conversation(console: console, stage: stage, printer: printer)
    _ = await conversation.run(ListScreen(service: service, printer: printer))
    console.close()
    return console.isInteractive || conversation.record.isClean ? EXIT_SUCCESS : EXIT_FAILURE
  }

  private func obey(_ service: SQLiteTaskService) async -> Int32 {
    let printer = Printer(outlet: .standard(), service: service, isJSON: isJSON, naming: .ids)
    return await OneCommand(words, printer).run()
  }

  private var location: DatabaseLocation {
    if inMemory { return .inMemory }
    return database.map { .file($0) } ?? .standard
  }
}

extension Program {
  /// What plain arguments ask for, without ArgumentParser, whose getting ready takes longer than
  /// all the rest of a start; `nil` for all that is not plain, mistakes above all: it knows what to
  /// say.
  init?(plain arguments: ArraySlice<String>) {
    self.init()
    var rest = arguments
    while let argument = rest.popFirst() {
      switch argument {
      case "--in-memory": inMemory = true
      case "--json": isJSON = true
      case "--database":
        guard database == nil, let path = rest.popFirst(), !path.isEmpty, !path.hasPrefix("-")
        else {
          return nil
        }
        database = path
      case _ where argument.hasPrefix("-"): return nil
      default: (words, rest) = ([argument] + rest, [])
      }
    }
    if database != nil, inMemory { return nil }
  }
}
