#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard output and standard error of a program that only answers, without a console.
public enum StandardOutput {
  /// The message for lost output: why it could not be written, and what would help.
  public static var failureText: String { failureText(after: OutputPort.standard.outputError) }

  static func failureText(after error: Int32) -> String {
    switch error {
    case ENOSPC, EDQUOT, EFBIG: "cannot write the output; see whether the disk is full"
    // A closed descriptor may have been opened as something else, which cannot be written to.
    case EBADF, EINVAL:
      "cannot write the output: standard output is closed; open it, or redirect it to /dev/null"
    default: "cannot write the output: \(String(cString: strerror(error)))"
    }
  }

  /// Writes lines, or ends the program: a lost answer must not be mistaken for an empty one.
  ///
  /// - Parameters:
  ///   - lines: The lines, without the last line feed.
  ///   - failure: The line for standard error if they cannot be written; evaluated after that.
  public static func write(
    _ lines: String, failure: @autoclosure () -> String = "error: \(failureText)"
  ) {
    guard !OutputPort.standard.write(ConsoleOutput(lines, to: .output)) else { return }
    writeError(failure())
    exit(EXIT_FAILURE)
  }

  /// Writes lines to standard error; if that fails, the exit status still reports the failure.
  public static func writeError(_ lines: String) {
    OutputPort.standard.write(ConsoleOutput(lines, to: .error))
  }
}
