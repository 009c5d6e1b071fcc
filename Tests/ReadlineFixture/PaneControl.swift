import CommandShell
import Readline

/// What a test can have shown below the prompt, and what the console says about it.
extension ReadlineFixture {
  static func executePane(_ command: String, _ console: LineConsole) {
    let argument = String(command.dropFirst(2))
    switch command.first {
    // Rows, with a bar between them.
    case "r":
      console.paint(
        argument.split(separator: "|", omittingEmptySubsequences: false).map {
          StyledText(String($0))
        })
    case "x": console.paint([])
    case "t": tick(Int(argument) ?? .max, console)
    case "s":
      let row = StyledText("plain ") + StyledText("bold red", [.bold, .red]) + " rest"
      console.paint([row])
      console.print(row)
      console.printError(row)
    case "w": console.print(description(console.window))
    // What changes is printed from now on.
    case "W":
      let windows = console.windows
      Task { for await window in windows { console.print(description(window)) } }
    case "E":
      let edits = console.edits
      Task { for await edit in edits { console.print("\(edit)") } }
    default: console.printError("unknown command \(command)")
    }
  }

  /// Two rows that stay and one that changes, very often.
  private static func tick(_ count: Int, _ console: LineConsole) {
    for number in 1...count {
      console.paint(["first row stays", StyledText("tick \(number)"), "last row stays"])
    }
  }

  private static func description(_ window: ConsoleWindow) -> String {
    "window \(window.columns)x\(window.rows), pane \(window.paneRows)"
  }
}
