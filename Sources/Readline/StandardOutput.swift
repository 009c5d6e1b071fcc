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
  ///
  /// - Parameters:
  ///   - lines: The lines, without the last line feed.
  ///   - failure: The line for standard error if they cannot be written.
  public static func write(_ lines: String, failure: String = "error: \(failureText)") {
    guard !OutputPort.standard.write(ConsoleOutput(lines, to: .output)) else { return }
    writeError(failure)
    exit(EXIT_FAILURE)
  }

  /// Writes lines to standard error; if that fails, the exit status still reports the failure.
  public static func writeError(_ lines: String) {
    OutputPort.standard.write(ConsoleOutput(lines, to: .error))
  }
}
