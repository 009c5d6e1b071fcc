#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard output and standard error of a program that only answers, without a console.
public enum StandardOutput {
  /// The message for lost output.
  public static let failureText = "cannot write the output; see whether the disk is full"

  /// Writes lines, or ends the program: a lost answer must not be mistaken for an empty one.
  public static func write(_ lines: String) {
    let port = OutputPort()
    port.write(ConsoleOutput(lines, to: .output))
    guard port.hasLostOutput else { return }
    writeError("error: \(failureText)")
    exit(EXIT_FAILURE)
  }

  /// Writes lines to standard error; if that fails, the exit status still reports the failure.
  public static func writeError(_ lines: String) {
    OutputPort().write(ConsoleOutput(lines, to: .error))
  }
}
