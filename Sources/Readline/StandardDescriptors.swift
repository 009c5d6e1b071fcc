#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Standard input, output and error, one or the other of which a program may be started without.
public enum StandardDescriptors {
  /// Takes the numbers of those that are closed; to read or to write there fails as before.
  ///
  /// To be called first, on the main thread: whatever is opened next would get such a number. The
  /// runtime's threads open things of their own, and a program whose standard input is one of these
  /// waits for lines that never come.
  public static func reserve() {
    for number in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(number, F_GETFD) < 0 {
      // The lowest number that is free, which is this one: those below it are taken.
      _ = open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }
}
