#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard output and standard error of a program that only answers, without a console.
public enum StandardOutput {
  /// What is to be said where output is lost.
  public static let complaint = "cannot write the output; see whether the disk is full"

  /// Writes lines, or ends the program: an answer that is lost must not look like none.
  public static func write(_ lines: String) {
    let port = OutputPort()
    port.write(ConsoleOutput(lines, to: .output))
    guard port.hasLostOutput else { return }
    writeError("error: \(complaint)")
    exit(EXIT_FAILURE)
  }

  /// Writes lines to standard error; whoever does not read them has been told by the exit status.
  public static func writeError(_ lines: String) {
    OutputPort().write(ConsoleOutput(lines, to: .error))
  }
}
