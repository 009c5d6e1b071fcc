public import CommandShell
public import Readline

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The destination of answers: above the prompt of a console, or standard output directly.
///
/// Everything printed passes through an outlet. Control characters and bidirectional formatting
/// characters are written out or removed, so printed text cannot move the cursor, change the
/// terminal, or reverse the writing direction. Sentences for the user wrap between words.
public struct Outlet: Sendable {
  /// One of the two standard streams.
  public enum Stream: Sendable {
    /// Standard output, or standard error.
    case output, error
  }

  /// The window, if rows can be painted in it.
  public var paintedWindow: @Sendable () -> ConsoleWindow?
  /// The number of columns in a row.
  public var columns: @Sendable () -> Int
  /// Whether a user reads the output, and therefore receives outcomes.
  public var isInteractive: Bool
  /// Whether a script reads the output as JSON: one object on each line.
  public var isJSON = false
  /// The line of a script that is being executed, for failures and warnings.
  var place: @Sendable () -> InputPlace? = { nil }
  /// The terminal's styles for rows; `nil` if rows are printed without styles.
  public var styles: TerminalStyles?
  /// Whether lines on a stream are wrapped between words, for a user to read.
  private let wraps: @Sendable (Stream) -> Bool
  /// Writes whole lines, without the last line feed; the last parameter is whether a failure to
  /// write is reported as JSON.
  private let write: @Sendable (String, Stream, Bool) -> Void

  /// Prints lines unwrapped and unchanged, except for control characters, for users and programs.
  ///
  /// If ``isJSON`` is true, they have to be JSON already: control characters are escaped as JSON
  /// requires, and the values stay the same.
  public func print(_ lines: String) {
    write(isJSON ? Self.harmlessJSON(lines) : Self.harmless(lines), .output, isJSON)
  }

  /// Prints rows with their styles, or as one JSON object, without styles.
  public func print(_ rows: [StyledText]) {
    if isJSON {
      let rows = rows.map { JSONText.quoted($0.plain) }.joined(separator: ",")
      return write("{\"rows\":[\(rows)]}", .output, true)
    }
    let lines = rows.map { styles?.text(of: $0) ?? $0.plain }
    // Styled text has no control characters, except for its styles.
    write(lines.joined(separator: "\n"), .output, false)
  }

  /// Prints a message for the user.
  public func printMessage(_ text: String, on stream: Stream = .output) {
    print(text, key: "message", on: stream)
  }

  /// Prints a text wrapped between words, or as a JSON object, which is never wrapped.
  private func print(_ text: String, key: String, on stream: Stream) {
    if isJSON { return write(Self.json(key, text), stream, true) }
    let text = Self.harmless(text)
    guard wraps(stream) else { return write(text, stream, false) }
    write(WordWrap.wrapped(text, to: columns(), width: DisplayWidth.of), stream, false)
  }

  /// Prints a notice: an outcome for the user or as JSON, a warning or a failure.
  public func print(_ notice: Notice) async {
    switch notice {
    case .failure(let reason): printFailure(reason)
    case .warning(let text): printWarning(text)
    case .outcome(let summary, let record):
      if isJSON {
        print(await record?() ?? Self.json("outcome", summary))
      } else if isInteractive {
        printMessage(summary)
      }
    }
  }

  /// Prints a line of a screen's report; in JSON, a line that begins with `{` is an object already.
  func printReport(_ line: String) {
    print(isJSON && !line.hasPrefix("{") ? Self.json("line", line) : line)
  }

  /// Prints an answer.
  public func printAnswer(_ text: String) { print(isJSON ? Self.json("answer", text) : text) }

  /// Prints the reason for a failure.
  public func printFailure(_ reason: String) {
    printProblem(reason, "error")
  }

  /// Prints a problem with something that was done.
  public func printWarning(_ text: String) {
    printProblem(text, "warning")
  }

  /// Prints a failure or a warning, with its place in a script.
  private func printProblem(_ text: String, _ kind: String) {
    let place = place()
    guard !isJSON else { return write(Self.json(kind, text, at: place), .error, true) }
    let prefix = place.map { "\($0.file):\($0.line): " } ?? ""
    print("\(prefix)\(kind): \(text)", key: kind, on: .error)
  }

  /// Prints a help text.
  public func printHelp(_ text: String) { print(text, key: "help", on: .output) }

  private static func json(_ key: String, _ text: String, at place: InputPlace? = nil) -> String {
    let place = place.map { ",\"file\":\(JSONText.quoted($0.file)),\"line\":\($0.line)" } ?? ""
    return "{\"\(key)\":\(JSONText.quoted(text))\(place)}"
  }

  /// Only the line feeds between the lines take effect.
  private static func harmless(_ lines: String) -> String {
    lines.split(separator: "\n", omittingEmptySubsequences: false)
      .map { DisplayText.visible(String($0)) }.joined(separator: "\n")
  }

  /// The same for lines of JSON; a carriage return and a line feed are one character.
  private static func harmlessJSON(_ lines: String) -> String {
    lines.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
      .map { JSONText.harmless(String($0)) }.joined(separator: "\n")
  }
}

extension Outlet {
  private static func failure(isJSON: Bool) -> String {
    let reason = StandardOutput.failureText
    return isJSON ? json("error", reason) : "error: \(reason)"
  }

  /// Prints above the prompt of a console.
  static func console(_ console: LineConsole) -> Outlet {
    Outlet(
      paintedWindow: {
        guard console.canPaint, console.window.paneRows > 0 else { return nil }
        return console.window
      },
      columns: { console.window.columns }, isInteractive: console.isInteractive,
      wraps: { _ in console.isInteractive },
      write: { text, stream, _ in
        switch stream {
        case .output: console.print(text)
        case .error: console.printError(text)
        }
      })
  }

  /// Prints directly to standard output and standard error, where no line is being typed.
  ///
  /// - Parameter isInteractive: Whether a user reads the output; by default, if it is a terminal.
  /// - Returns: The outlet.
  public static func standard(isInteractive: Bool? = nil) -> Outlet {
    let isInteractive = isInteractive ?? (isatty(STDOUT_FILENO) == 1)
    let styles = TerminalStyles(of: STDOUT_FILENO)
    return Outlet(
      paintedWindow: { nil }, columns: { styles.columns ?? 80 }, isInteractive: isInteractive,
      styles: isInteractive ? styles : nil,
      wraps: { stream in isatty(stream == .output ? STDOUT_FILENO : STDERR_FILENO) == 1 },
      write: { text, stream, isJSON in
        switch stream {
        case .output: StandardOutput.write(text, failure: failure(isJSON: isJSON))
        case .error: StandardOutput.writeError(text)
        }
      })
  }
}
