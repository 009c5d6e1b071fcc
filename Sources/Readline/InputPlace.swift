#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A line of a file that a console reads its lines from.
public struct InputPlace: Hashable, Sendable {
  /// The file's name, without its directory.
  public var file: String
  /// The number of the line, from 1.
  public var line: Int

  /// Creates a place.
  public init(file: String, line: Int) {
    self.file = file
    self.line = line
  }

  /// The name of the file that standard input reads; nil if it reads no regular file.
  static func inputFile() -> String? {
    var status = stat()
    guard fstat(STDIN_FILENO, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let path = inputPath()
    // The system has no path of a file that has been deleted, as a shell does with its own.
    guard let path, !path.hasSuffix(" (deleted)") else { return "standard input" }
    return path.split(separator: "/").last.map(String.init) ?? path
  }

  private static func inputPath() -> String? {
    var buffer = [CChar](repeating: 0, count: 4_096)
    #if canImport(Darwin)
      guard fcntl(STDIN_FILENO, F_GETPATH, &buffer) == 0 else { return nil }
    #else
      guard readlink("/proc/self/fd/0", &buffer, buffer.count - 1) > 0 else { return nil }
    #endif
    let bytes = buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:))
    return String(decoding: bytes, as: UTF8.self)
  }
}
