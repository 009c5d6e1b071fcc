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

  /// Straight to standard output and standard error, for a program that reads no lines.
  static let standard = Outlet(
    print: { text in FileHandle.standardOutput.write(Data("\(text)\n".utf8)) },
    printError: { text in FileHandle.standardError.write(Data("\(text)\n".utf8)) },
    paintedWindow: { nil }, columns: { 80 }, isPerson: isatty(STDOUT_FILENO) == 1)
}
