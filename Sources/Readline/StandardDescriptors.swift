#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard input, output and error, some of which may be closed when a program starts.
public enum StandardDescriptors {
  /// Occupies the numbers of those that are closed; reading or writing there still fails.
  ///
  /// Call it first, on the main thread: otherwise the next file that is opened gets such a number.
  /// The runtime's threads open descriptors of their own, and a program whose standard input is one
  /// of these waits for lines that never arrive.
  public static func reserve() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
      // Opens the lowest free number, which is this one: those below it are in use.
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
