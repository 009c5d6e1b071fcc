import Reactor
import ReactorRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A program on pipes, to which a test writes while it runs.
///
/// A test waits for each line; it is a failure if none arrives for ten minutes. The program is
/// killed when the session is released.
///
/// Holds: the end of the program's input, the bytes that were read and not yet returned, and the
/// exit status, each guarded by its own lock.
public final class PipedSession: Sendable {
  private let pid: pid_t
  private let output: Int32
  private let errors: Int32
  /// The end of its input; -1 if it is closed.
  private let input: Guarded<Int32>
  /// The bytes that were read, and not yet returned.
  private let rest = Guarded<[UInt8]>([])
  private let status = Guarded<ExitStatus?>(nil)

  /// Starts a built product on pipes.
  ///
  /// - Parameters:
  ///   - product: The name of the executable; see ``BuiltProduct``.
  ///   - arguments: Its arguments.
  ///   - environment: Its environment; `PATH` is added.
  /// - Throws: ``TerminalFailure`` if it cannot be started.
  public init(
    _ product: String, arguments: [String] = [], environment: [String: String] = [:]
  ) throws {
    Descriptors.ignoresBrokenPipes
    let pipes = try (input: Descriptors.pipe(), out: Descriptors.pipe(), error: Descriptors.pipe())
    pid = try ChildProcess(
      executable: BuiltProduct.path(product), arguments: arguments,
      environment: environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given },
      descriptors: [
        (0, .copy(of: pipes.input.read)), (1, .copy(of: pipes.out.write)),
        (2, .copy(of: pipes.error.write)),
      ]
    ).start()
    for end in [pipes.input.read, pipes.out.write, pipes.error.write] { close(end) }
    input = Guarded(pipes.input.write)
    (output, errors) = (pipes.out.read, pipes.error.read)
  }

  deinit {
    signal(SIGKILL)
    if status.withLock({ $0 }) == nil { _ = ChildProcess.wait(for: pid) }
    closeInput()
    close(output)
    close(errors)
  }

  // MARK: Acting

  /// Writes to its standard input; returns when all of it fits in the pipe.
  public func send(_ text: String) async {
    let end = input.withLock { $0 }
    await Blocking.result { Descriptors.writeAll(Array(text.utf8), to: end) }
  }

  /// Ends its standard input.
  public func closeInput() {
    input.withLock { end in
      if end >= 0 { close(end) }
      end = -1
    }
  }

  /// Sends it a signal.
  public func signal(_ number: Int32) {
    status.withLock { status in
      if status == nil { _ = sendSignal(pid, number) }
    }
  }

  // MARK: Listening

  /// The next whole line of its standard output, without the line feed; nil at the end.
  ///
  /// - Throws: ``TerminalFailure`` if ten minutes pass.
  public func nextLine() async throws -> String? {
    let line: Result<String?, TerminalFailure> = await Blocking.result { [self] in
      while true {
        if let line = rest.withLock({ Self.takeLine(&$0) }) { return .success(line) }
        var wait = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
        guard poll(&wait, 1, 600_000) != 0 else {
          return .failure(TerminalFailure("the program has written no line for ten minutes"))
        }
        guard let bytes = Descriptors.readSome(output) else { return .success(nil) }
        rest.withLock { $0 += bytes }
      }
    }
    return try line.get()
  }

  /// All lines that are left, up to the end of its standard output.
  ///
  /// - Throws: ``TerminalFailure`` if ten minutes pass.
  public func remainingLines() async throws -> [String] {
    var lines: [String] = []
    while let line = try await nextLine() { lines.append(line) }
    return lines
  }

  /// Waits for the program's end.
  ///
  /// - Returns: How it ended, and what it wrote to standard error.
  public func waitForExit() async -> (status: ExitStatus, errorOutput: String) {
    let (pid, errors) = (pid, errors)
    let (bytes, end) = await Blocking.result {
      (Descriptors.readAll(errors), ChildProcess.wait(for: pid))
    }
    status.withLock { $0 = end }
    return (end, String(decoding: bytes, as: UTF8.self))
  }

  private static func takeLine(_ bytes: inout [UInt8]) -> String? {
    guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    defer { bytes.removeSubrange(...end) }
    return String(decoding: bytes[..<end], as: UTF8.self)
  }
}

/// `kill`, which the method of that name hides.
private func sendSignal(_ pid: pid_t, _ signal: Int32) -> Int32 {
  kill(pid, signal)
}
