import Reactor

/// One command, given as the program's arguments: it is done, and that is all.
struct OneCommand {
  private let arguments: [String]
  private let screen: ListScreen
  private let printer: Printer

  init(_ arguments: [String], _ printer: Printer) {
    self.arguments = arguments
    self.printer = printer
    screen = ListScreen(service: printer.service, printer: printer)
  }

  /// - Returns: Whether it was done.
  func run() async -> Bool {
    let command: ListCommand
    do {
      guard let given = try self.command() else { return true }
      command = given
      switch try await screen.obey(command) {
      case .wait(let receipt), .goOn(let receipt): await receipt.settled
      case .help(let topic): printer.printHelp(try ListCommand.table.help(about: topic))
      case .open(let other): try await other.begin()
      case .done, .back, .quit: break
      }
    } catch {
      printer.printFailure("\(error)")
      return false
    }
    guard await tell() else { return false }
    return await list(after: command)
  }

  /// The options of the program, which has taken those that stand before the command.
  private static let programOptions: Set = ["--database", "--in-memory", "--json"]

  private func command() throws(CommandError) -> ListCommand? {
    if let first = arguments.first, first.hasPrefix("--") { throw .unknownProgramOption(first) }
    let late = arguments.prefix { $0 != "--" }.map { String($0.prefix { $0 != "=" }) }
      .first(where: Self.programOptions.contains)
    if let late { throw .programOption(late, after: arguments[0]) }
    return try ListCommand(arguments: arguments)
  }

  /// Prints what a command has chosen to look at: nobody else will ask for it.
  private func list(after command: ListCommand) async -> Bool {
    switch command {
    case .search, .filter, .section: break
    default: return true
    }
    do throws(TaskError) {
      let window = await screen.reactor.currentState.window
      try await printer.printList(window.query, fromRow: 1)
      return true
    } catch {
      printer.printFailure(error.description)
      return false
    }
  }

  private func tell() async -> Bool {
    let state = await screen.reactor.currentState
    await screen.reactor.stop(.drain).settled
    if state.opened != nil {
      printer.printFailure("the editor needs lines to read; start without a command")
      return false
    }
    for notice in screen.notices(of: state, after: nil) {
      switch notice {
      case .outcome(let outcome): await printer.print(outcome)
      case .failure(let reason):
        printer.printFailure(reason)
        return false
      }
    }
    return true
  }
}
