#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program on a pseudo-terminal of its own: a test sends keys, and reads the screen.
///
/// ```swift
/// let terminal = try TerminalSession("Groceries", columns: 40, rows: 12)
/// await terminal.send("add milk\r")
/// try await terminal.expect("1 milk")
/// ```
///
/// An expectation is met by output that arrives. It fails when the program ends without it, when
/// the task is cancelled, as by the time limit of a test, or after ten minutes. The program is
/// killed when the session is released.
public final class TerminalSession: Sendable {
  /// The destination of the program's standard output.
  public enum Output: Sendable {
    /// The terminal.
    case terminal
    /// A pipe, whose contents are ``TerminalSession/pipedOutput()``.
    case pipe
  }

  /// The terminal's settings before the program was started.
  public let initialSettings: TerminalSettings

  private let pty: PseudoTerminal
  private let pid: pid_t
  private let feed: SessionFeed
  private let control: Int32
  private let piped: Int32?

  /// Starts a built product on a terminal.
  ///
  /// - Parameters:
  ///   - product: The name of the executable; see ``BuiltProduct``.
  ///   - arguments: Its arguments.
  ///   - environment: Its environment. By default `TERM` is `xterm`, `LANG` is `C.UTF-8`, and
  ///     `INPUTRC` is `/dev/null`, so that no settings of a user apply; `PATH` is added.
  ///   - columns: The number of columns of the screen.
  ///   - rows: The number of rows of the screen.
  ///   - output: The destination of standard output.
  /// - Throws: ``TerminalFailure`` if it cannot be started.
  public init(
    _ product: String, arguments: [String] = [], environment: [String: String] = [:],
    columns: Int = 80, rows: Int = 24, output: Output = .terminal
  ) throws {
    Descriptors.ignoresBrokenPipes
    pty = try PseudoTerminal(columns: columns, rows: rows)
    initialSettings = pty.settings
    let controlPipe = try Descriptors.pipe()
    let outputPipe = output == .pipe ? try Descriptors.pipe() : nil
    let usual = [
      "TERM": "xterm", "LANG": "C.UTF-8", "PATH": "/usr/bin:/bin", "INPUTRC": "/dev/null",
    ]
    pid = try ChildProcess(
      executable: BuiltProduct.path(product), arguments: arguments,
      environment: usual.merging(environment) { _, given in given },
      descriptors: [
        (0, .terminal(path: pty.path)), (1, .copy(of: outputPipe?.write ?? 0)), (2, .copy(of: 0)),
        (3, .copy(of: controlPipe.read)),
      ], leadsSession: true
    ).start()
    close(controlPipe.read)
    if let outputPipe { close(outputPipe.write) }
    control = controlPipe.write
    piped = outputPipe?.read
    feed = SessionFeed(screen: ScreenModel(columns: columns, rows: rows))
    feed.start(pty: pty, pid: pid)
  }

  deinit {
    feed.kill(pid, with: SIGKILL)
    close(control)
    if let piped { close(piped) }
  }

  // MARK: Acting

  /// Sends keys: `"\r"` is Enter, `"\u{3}"` is Ctrl-C, `"\u{1B}[A"` is Up.
  public func send(_ keys: String) async {
    await send(bytes: Array(keys.utf8))
  }

  /// Pastes a text as a terminal does: line feeds become Enter, with marks around the text if the
  /// program has requested them.
  public func paste(_ text: String) async {
    let keys = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r")
    await send(screen.marksPastes ? "\u{1B}[200~\(keys)\u{1B}[201~" : keys)
  }

  /// Sends bytes, which need not be text.
  public func send(bytes: [UInt8]) async {
    let person = pty.person
    await Blocking.result { Descriptors.writeAll(bytes, to: person) }
  }

  /// Writes a line to the program's descriptor 3, for programs that are made for tests.
  public func command(_ line: String) async {
    let control = control
    await Blocking.result { Descriptors.writeAll(Array("\(line)\n".utf8), to: control) }
  }

  /// Sends a signal to the program, if it has not ended.
  public func signal(_ number: Int32) {
    feed.kill(pid, with: number)
  }

  /// Changes the size of the terminal; the program receives the signal for that.
  public func resize(columns: Int, rows: Int) {
    feed.resize(columns: columns, rows: rows)
    pty.resize(columns: columns, rows: rows)
  }

  // MARK: Looking

  /// The current screen.
  public var screen: ScreenModel { feed.screen }

  /// All bytes that the program has written to the screen, as text.
  public var transcript: String { feed.transcript }

  /// The terminal's settings while the program runs.
  public var settings: TerminalSettings { pty.settings }

  /// The terminal's settings at the end of the program; nil while it runs.
  public var finalSettings: TerminalSettings? { feed.finalSettings }

  /// Waits until a line on the screen contains a text.
  ///
  /// - Parameter text: The text, within one line.
  /// - Throws: ``TerminalFailure``, with the screen, if the expectation fails.
  public func expect(_ text: String) async throws {
    try await expect("\"\(text)\"") { $0.history.contains { $0.contains(text) } }
  }

  /// Waits until the screen ends with these lines.
  ///
  /// - Parameter lines: The last visible lines, top to bottom.
  /// - Throws: ``TerminalFailure``, with the screen, if the expectation fails.
  public func expect(lastLines lines: String...) async throws {
    try await expect("\(lines), last") { $0.lines.suffix(lines.count) == lines[...] }
  }

  /// Waits until the screen meets a condition.
  ///
  /// - Parameters:
  ///   - what: What the test waits for, for the text of the failure.
  ///   - condition: Returns whether the screen meets it.
  /// - Throws: ``TerminalFailure``, with the screen, if the expectation fails.
  public func expect(
    _ what: String, _ condition: @escaping @Sendable (ScreenModel) -> Bool
  ) async throws {
    guard await feed.wait(until: condition) else {
      throw TerminalFailure("the screen never showed \(what); it shows\n\(feed.picture)")
    }
  }

  /// Waits for the program's end.
  ///
  /// - Returns: How it ended.
  /// - Throws: ``TerminalFailure``, with the screen, if the task is cancelled, or after ten
  ///   minutes.
  public func waitForExit() async throws -> ExitStatus {
    guard let status = await feed.waitForExit() else {
      throw TerminalFailure("the program did not end; the screen shows\n\(feed.picture)")
    }
    return status
  }

  /// Returns what the program has written to its output pipe, up to the end.
  public func pipedOutput() async -> String {
    guard let piped else { return "" }
    return await Blocking.result {
      String(decoding: Descriptors.readAll(piped), as: UTF8.self)
    }
  }
}
