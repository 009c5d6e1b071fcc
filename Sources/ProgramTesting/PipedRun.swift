#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The result of a program that has run to its end on pipes, without a terminal.
public struct PipedRun: Sendable {
  /// How it ended.
  public let status: ExitStatus
  /// What it wrote to standard output.
  public let output: String
  /// What it wrote to standard error.
  public let errorOutput: String

  /// How the program's standard output is read.
  public enum Reader: Sendable {
    /// It is read to its end.
    case all
    /// It is closed before the program writes.
    case closed
  }

  /// The time for which an output may be silent, in milliseconds, before the program is killed.
  private static let patience: Int32 = 600_000

  /// Runs a built product through pipes, to its end.
  ///
  /// If it writes nothing for ten minutes, it is killed, with all processes that it has started.
  ///
  /// - Parameters:
  ///   - product: The name of the executable; see ``BuiltProduct``.
  ///   - arguments: Its arguments.
  ///   - environment: Its environment; `PATH` is added.
  ///   - input: The bytes of its standard input.
  ///   - reader: What is done with its standard output.
  /// - Returns: The result.
  /// - Throws: ``TerminalFailure`` if it cannot be started.
  public static func of(
    _ product: String, arguments: [String] = [], environment: [String: String] = [:],
    input: some Sequence<UInt8> & Sendable, reader: Reader = .all
  ) async throws -> PipedRun {
    Descriptors.ignoresBrokenPipes
    let pipes = try (input: Descriptors.pipe(), out: Descriptors.pipe(), error: Descriptors.pipe())
    if reader == .closed { close(pipes.out.read) }
    let pid = try ChildProcess(
      executable: BuiltProduct.path(product), arguments: arguments,
      environment: environment.merging(["PATH": "/usr/bin:/bin"]) { given, _ in given },
      descriptors: [
        (0, .copy(of: pipes.input.read)), (1, .copy(of: pipes.out.write)),
        (2, .copy(of: pipes.error.write)),
      ], leadsSession: true
    ).start()
    for end in [pipes.input.read, pipes.out.write, pipes.error.write] { close(end) }
    return await finished(
      pid, input: Array(input), pipes.input.write, pipes.out.read,
      pipes.error.read, reader)
  }

  /// Runs a built product through pipes, to its end, with a text as input.
  ///
  /// - Parameters:
  ///   - product: The name of the executable; see ``BuiltProduct``.
  ///   - input: The text of its standard input.
  /// - Returns: The result.
  /// - Throws: ``TerminalFailure`` if it cannot be started.
  public static func of(_ product: String, input: String) async throws -> PipedRun {
    try await of(product, input: Array(input.utf8))
  }

  private static func finished(
    _ pid: pid_t, input: [UInt8], _ inputEnd: Int32, _ outputEnd: Int32, _ errorEnd: Int32,
    _ reader: Reader
  ) async -> PipedRun {
    Blocking.thread {
      Descriptors.writeAll(input, to: inputEnd)
      close(inputEnd)
    }
    async let output = reader == .all ? contents(outputEnd, pid) : ""
    async let errorOutput = contents(errorEnd, pid)
    async let status = Blocking.result { ChildProcess.wait(for: pid) }
    return await PipedRun(status: status, output: output, errorOutput: errorOutput)
  }

  private static func contents(_ descriptor: Int32, _ pid: pid_t) async -> String {
    await Blocking.result {
      defer { close(descriptor) }
      var bytes: [UInt8] = []
      while true {
        var wait = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // As its session's leader it has a group of its own, which ends as a whole.
        if poll(&wait, 1, patience) == 0 { kill(-pid, SIGKILL) }
        guard let more = Descriptors.readSome(descriptor) else { break }
        bytes += more
      }
      return String(decoding: bytes, as: UTF8.self)
    }
  }
}
