public import ArgumentParser
import Foundation
import ReactorREPL

extension AsyncParsableCommand {
  /// Runs a demo with the arguments of the process; ends the process after an error.
  ///
  /// It does what `main()` does, with three exceptions: control characters are escaped; output
  /// that cannot be written is an error; an error that does not concern the arguments is printed
  /// as a console prints it.
  ///
  /// - Parameter isJSON: Whether errors are printed as JSON.
  public static func runDemo(errorsAsJSON isJSON: Bool = false) async {
    do {
      var command = try parseAsRoot()
      if var asyncCommand = command as? any AsyncParsableCommand {
        try await asyncCommand.run()
      } else {
        try command.run()
      }
    } catch {
      let (status, text) = (exitCode(for: error).rawValue, fullMessage(for: error))
      var outlet = Outlet.standard()
      outlet.isJSON = isJSON
      if status == 0, isJSON {
        outlet.printMessage(text)
      } else if status == 0 {
        outlet.print(text)
      } else if isJSON {
        outlet.printFailure(message(for: error))
      } else if status == EXIT_FAILURE, !text.isEmpty {
        outlet.printFailure("\(error)")
      } else if !text.isEmpty {
        outlet.printMessage(text, on: .error)
      }
      Foundation.exit(status)
    }
  }
}
