import Foundation
import Readline

/// Where answers go: above the prompt of a console, or straight to standard output.
///
/// Whatever is printed passes through here: nothing in it moves the cursor, changes the terminal or
/// turns the writing around, whoever wrote it. Sentences for a person break between words.
struct Outlet: Sendable {
  enum Stream: Sendable {
    case output, error
  }

  /// The window, if rows can be painted in it.
  var paintedWindow: @Sendable () -> ConsoleWindow?
  /// How many letters fit in a row.
  var columns: @Sendable () -> Int
  /// Whether somebody reads it who likes to be told what was done.
  var isPerson: Bool
  /// How rows with styles look; `nil` where they have none.
  var styles: TerminalStyles?
  /// Whether somebody reads on that stream who would see a word broken.
  private let wraps: @Sendable (Stream) -> Bool
  /// Shows whole lines, without the last line feed.
  private let write: @Sendable (String, Stream) -> Void

  /// Prints lines as they are, for whatever reads them.
  func print(_ lines: String) { write(Self.harmless(lines), .output) }

  /// Prints rows with their styles.
  func print(_ rows: [StyledText]) {
    let lines = rows.map { styles?.text(of: $0) ?? $0.plain }
    // Styled text is harmless, but for the styles.
    write(lines.joined(separator: "\n"), .output)
  }

  /// Says something to a person.
  func say(_ text: String, on stream: Stream = .output) {
    let text = Self.harmless(text)
    guard wraps(stream) else { return write(text, stream) }
    write(WordWrap.wrapped(text, to: columns(), width: DisplayWidth.of), stream)
  }

  /// Only the line feeds between the lines are obeyed.
  private static func harmless(_ lines: String) -> String {
    lines.split(separator: "\n", omittingEmptySubsequences: false)
      .map { DisplayText.visible(String($0)) }.joined(separator: "\n")
  }
}

extension Outlet {
  /// Above the prompt of a console.
  static func console(_ console: LineConsole) -> Outlet {
    Outlet(
      paintedWindow: {
        guard console.canPaint, console.window.paneRows > 0 else { return nil }
        return console.window
      },
      columns: { console.window.columns }, isPerson: console.isInteractive,
      wraps: { _ in console.isInteractive },
      write: { text, stream in
        switch stream {
        case .output: console.print(text)
        case .error: console.printError(text)
        }
      })
  }

  /// Straight to standard output and standard error, where no line is being typed.
  static func standard(isPerson: Bool = isatty(STDOUT_FILENO) == 1) -> Outlet {
    let styles = TerminalStyles(of: STDOUT_FILENO)
    return Outlet(
      paintedWindow: { nil }, columns: { styles.columns ?? 80 }, isPerson: isPerson,
      styles: isPerson ? styles : nil,
      wraps: { stream in isatty(stream == .output ? STDOUT_FILENO : STDERR_FILENO) == 1 },
      write: { text, stream in
        switch stream {
        case .output: StandardOutput.write(text)
        case .error: StandardOutput.writeError(text)
        }
      })
  }
}
