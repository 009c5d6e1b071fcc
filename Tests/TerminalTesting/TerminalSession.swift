#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program on a terminal of its own, and a person who types and looks.
///
/// Nothing here sleeps: an expectation is met by output that arrives, or fails when the program
/// ends without it. The program is killed when the session goes away.
public final class TerminalSession: Sendable {
  /// Where else a program's output may lead.
  public enum Output: Sendable {
    case terminal
    /// Into a pipe, whose contents are ``TerminalSession/pipedOutput()``.
    case pipe
  }

  /// The terminal's settings before the program saw it.
  public let initialSettings: TerminalSettings

  private let pty: PseudoTerminal
  private let pid: pid_t
  private let feed: SessionFeed
  private let control: Int32
  private let piped: Int32?

  /// Starts a built product on a terminal.
  ///
  /// - Parameters:
  ///   - product: The executable's name.
  ///   - arguments: Its arguments.
  ///   - environment: Added to, or instead of, `TERM`, `LANG`, `PATH`, and no init file.
  ///   - columns: The screen's width.
  ///   - rows: The screen's height.
  ///   - output: Where standard output leads.
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

  /// Types; `"\r"` is Enter, `"\u{3}"` is Ctrl-C.
  public func send(_ keys: String) async {
    await send(bytes: Array(keys.utf8))
  }

  /// Pastes as a terminal does: line feeds become Enter, and where the program has asked for them
  /// there are marks around it.
  public func paste(_ text: String) async {
    let keys = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r")
    await send(screen.marksPastes ? "\u{1B}[200~\(keys)\u{1B}[201~" : keys)
  }

  /// Types bytes that need not be text.
  public func send(bytes: [UInt8]) async {
    let person = pty.person
    await Blocking.result { Descriptors.writeAll(bytes, to: person) }
  }

  /// Writes a line to the program's descriptor 3, for programs made for tests.
  public func command(_ line: String) async {
    let control = control
    await Blocking.result { Descriptors.writeAll(Array("\(line)\n".utf8), to: control) }
  }

  /// Sends a signal to the program, as `kill` does.
  public func signal(_ number: Int32) {
    feed.kill(pid, with: number)
  }

  /// Gives the terminal another size; the program is notified by a signal.
  public func resize(columns: Int, rows: Int) {
    feed.resize(columns: columns, rows: rows)
    pty.resize(columns: columns, rows: rows)
  }

  // MARK: Looking

  /// What can be seen now.
  public var screen: ScreenModel { feed.screen }

  /// Every byte that reached the screen, as text.
  public var transcript: String { feed.transcript }

  /// The terminal's settings while the program runs.
  public var settings: TerminalSettings { pty.settings }

  /// The terminal's settings as the program left them; nil while it runs.
  public var finalSettings: TerminalSettings? { feed.finalSettings }

  /// Waits until a line on the screen contains a text.
  ///
  /// - Parameter text: What to wait for.
  /// - Throws: ``TerminalFailure``, with the screen, if the program ends without it or two
  ///   minutes pass.
  public func expect(_ text: String) async throws {
    try await expect("\"\(text)\"") { $0.history.contains { $0.contains(text) } }
  }

  /// Waits until the screen ends with these lines.
  ///
  /// - Parameter lines: The last visible lines, top to bottom.
  /// - Throws: ``TerminalFailure``, with the screen, if the program ends without it or two
  ///   minutes pass.
  public func expect(lastLines lines: String...) async throws {
    try await expect("the last lines \(lines)") { $0.lines.suffix(lines.count) == lines[...] }
  }

  /// Waits until the screen is as it should be.
  ///
  /// - Parameters:
  ///   - what: What is waited for, for the failure's text.
  ///   - condition: Whether this is it.
  /// - Throws: ``TerminalFailure``, with the screen, if the program ends without it or two
  ///   minutes pass.
  public func expect(
    _ what: String, _ condition: @escaping @Sendable (ScreenModel) -> Bool
  ) async throws {
    guard await feed.wait(until: condition) else {
      throw TerminalFailure("waited in vain for \(what); the screen shows\n\(feed.picture)")
    }
  }

  /// Waits for the program's end.
  ///
  /// - Returns: How it ended.
  /// - Throws: ``TerminalFailure``, with the screen, if ten minutes pass.
  public func waitForExit() async throws -> ExitStatus {
    guard let status = await feed.waitForExit() else {
      throw TerminalFailure("waited in vain for the end; the screen shows\n\(feed.picture)")
    }
    return status
  }

  /// What the program wrote to its output pipe, to the end of it.
  public func pipedOutput() async -> String {
    guard let piped else { return "" }
    return await Blocking.result {
      String(decoding: Descriptors.readAll(piped), as: UTF8.self)
    }
  }
}
