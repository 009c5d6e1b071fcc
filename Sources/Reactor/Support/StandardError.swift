#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// The process's standard error: the one place where the library needs the platform's C library.
///
/// See `docs/decisions/0002-standard-error.md`.
enum StandardError {
  /// Writes one whole line in one call where the system allows, so that lines do not mix.
  static func write(line: String) {
    var rest = Array((line + "\n").utf8)[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { platformWrite(STDERR_FILENO, $0.baseAddress, $0.count) }
      if written > 0 {
        rest.removeFirst(written)
      } else if written == 0 || errno != EINTR {
        return
      }
    }
  }

  private static func platformWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int
  {
    #if canImport(Darwin)
      Darwin.write(file, bytes, count)
    #elseif canImport(Glibc)
      Glibc.write(file, bytes, count)
    #elseif canImport(Musl)
      Musl.write(file, bytes, count)
    #elseif canImport(Android)
      Android.write(file, bytes, count)
    #else
      0
    #endif
  }
}
