import Foundation
import Readline

/// Where answers go: above the prompt of a console, or straight to standard output.
struct Outlet: Sendable {
  var print: @Sendable (String) -> Void
  var printError: @Sendable (String) -> Void
  /// The window, if rows can be painted in it.
  var paintedWindow: @Sendable () -> ConsoleWindow?
  /// How many letters fit in a row.
  var columns: @Sendable () -> Int
  /// Whether somebody reads it who likes to be told what was done.
  var isPerson: Bool
}

extension Outlet {
  /// Above the prompt of a console.
  static func console(_ console: LineConsole) -> Outlet {
    Outlet(
      print: { console.print($0) }, printError: { console.printError($0) },
      paintedWindow: {
        guard console.canPaint, console.window.paneRows > 0 else { return nil }
        return console.window
      },
      columns: { console.window.columns }, isPerson: console.isInteractive)
  }

  /// Straight to standard output and standard error, where no line is being typed.
  static func standard(isPerson: Bool = isatty(STDOUT_FILENO) == 1) -> Outlet {
    Outlet(
      print: { text in
        do {
          try write(text, to: .standardOutput)
        } catch {
          // As when nobody reads it any more: an answer that is lost must not look like none.
          try? write(
            "error: cannot write the output; see whether the disk is full", to: .standardError)
          exit(EXIT_FAILURE)
        }
      },
      printError: { text in try? write(text, to: .standardError) },
      paintedWindow: { nil }, columns: { 80 }, isPerson: isPerson)
  }

  private static func write(_ line: String, to file: FileHandle) throws {
    try file.write(contentsOf: Data("\(line)\n".utf8))
  }
}
