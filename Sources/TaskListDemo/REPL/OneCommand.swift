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
    do {
      guard let command = try ListCommand(arguments: arguments) else { return true }
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
    return await tell()
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
