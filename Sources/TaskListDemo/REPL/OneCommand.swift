import CommandShell
import Foundation
import Reactor
import ReactorREPL
import TaskStore

/// A single command, given as the program's arguments.
struct OneCommand {
  private let arguments: [String]
  private let screen: ListScreen
  private let printer: Printer

  init(_ arguments: [String], _ printer: Printer) {
    self.arguments = arguments
    self.printer = printer
    screen = ListScreen(service: printer.service, printer: printer)
  }

  /// - Returns: The exit status: whether it was carried out, or what kind of error occurred.
  func run() async -> Int32 {
    if let misplaced = misplacedOption {
      printer.outlet.printFailure(misplaced.description)
      return Program.misuse
    }
    do {
      guard let command = try command() else { return EXIT_SUCCESS }
      return try await perform(command) ? EXIT_SUCCESS : EXIT_FAILURE
    } catch {
      printer.outlet.printFailure("\(error)")
      return EXIT_FAILURE
    }
  }

  private func perform(_ command: ListCommand) async throws -> Bool {
    switch try await screen.perform(command) {
    case .wait(let receipt), .background(let receipt):
      await receipt.settled
      return await printOutcome(isQuiet: command.writesToStandardOutput)
    case .waitAndShow(let receipt):
      await receipt.settled
      guard await printOutcome() else { return false }
      try await screen.printRows(to: printer.outlet)
    case .help(let topic): printer.outlet.printHelp(try ListCommand.table.help(about: topic))
    case .open(is EditorScreen):
      printer.outlet.printFailure("the editor needs lines to read; start without a command")
      return false
    case .open(let other): try await other.begin()
    case .show: try await screen.printRows(to: printer.outlet)
    case .answer(let answer): printer.outlet.printAnswer(answer)
    case .done, .back, .quit: break
    }
    return true
  }

  /// The options of the program, which it parses only before the command.
  private static let programOptions: Set = ["--database", "--in-memory", "--json", "--version"]

  private var misplacedOption: CommandError? {
    if let first = arguments.first, first.hasPrefix("--") { return .unknownProgramOption(first) }
    let late = arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
      .first(where: Self.programOptions.contains)
    return late.map { .programOption($0, after: arguments[0]) }
  }

  /// No list is on the screen: a number would be a row of a list that the user has not seen.
  private func command() throws(CommandError) -> ListCommand? {
    let command = try ListCommand(arguments: arguments)
    if let row = command?.row { throw .rowWithoutList(row) }
    return command
  }

  /// Prints what was done, or why it was not.
  private func printOutcome(isQuiet: Bool = false) async -> Bool {
    let state = await screen.reactor.currentState
    await screen.reactor.stop(.drain).settled
    for notice in screen.notices(of: state, after: nil) {
      switch notice {
      case .outcome: if !isQuiet { await printer.outlet.print(notice) }
      case .warning: await printer.outlet.print(notice)
      case .failure:
        await printer.outlet.print(notice)
        return false
      }
    }
    return true
  }
}

extension ListCommand {
  /// A row by which it names a task.
  fileprivate var row: Int? {
    switch self {
    case .row(let row), .edit(.row(let row)), .rename(.row(let row), _), .memo(.row(let row), _),
      .move(.row(let row), _), .move(_, .row(let row)):
      row
    case .setDone(let tasks, _), .delete(let tasks): tasks.rows.first?.lowerBound
    default: nil
    }
  }

  /// Whether its output is a file, which must have no other text.
  fileprivate var writesToStandardOutput: Bool {
    if case .exportFile(let path) = self { FileNames.isStandardOutput(path) } else { false }
  }
}
