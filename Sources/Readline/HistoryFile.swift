#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The history file: one line for each entry, readable by the user only.
///
/// Several programs may share it. Each appends under the file's lock; the file is replaced as a
/// whole when it has grown too long. Every failure is ignored: the history is a convenience.
struct HistoryFile {
  private let path: String

  private static let byteLimit = 1 << 20

  /// The file for a name under the XDG state directory; nil if there is no such directory.
  init?(name: String, environment: (String) -> String? = Self.environment) {
    guard let base = Self.stateDirectory(environment) else { return nil }
    path = "\(base)/\(name)/history"
  }

  static func stateDirectory(_ environment: (String) -> String?) -> String? {
    // The specification says that a relative path is ignored.
    if let state = environment("XDG_STATE_HOME"), state.hasPrefix("/") { return state }
    guard let home = environment("HOME"), home.hasPrefix("/") else { return nil }
    return "\(home)/.local/state"
  }

  static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Reads the remembered lines; shortens the file if it has far more.
  func load() -> HistoryLog {
    withFile(O_RDWR) { file in
      let bytes = Self.read(file)
      let log = HistoryLog(fileText: bytes)
      if bytes.count(where: { $0 == UInt8(ascii: "\n") }) > 2 * HistoryLog.limit {
        replace(with: log.fileText)
      }
      return log
    } ?? HistoryLog(fileText: [])
  }

  /// Appends a line.
  func append(_ line: String) {
    createDirectories()
    _ = withFile(O_WRONLY | O_APPEND | O_CREAT) { Self.write(Array("\(line)\n".utf8), to: $0) }
  }

  private func replace(with bytes: [UInt8]) {
    let draft = "\(path).\(getpid())"
    let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    if !Self.write(bytes, to: file) || rename(draft, path) != 0 { unlink(draft) }
  }

  private func createDirectories() {
    for end in path.indices where path[end] == "/" && end != path.startIndex {
      mkdir(String(path[..<end]), 0o700)
    }
  }

  // MARK: The lock

  /// Opens and locks the file, if it is a regular file.
  private func withFile<Result>(_ flags: Int32, _ body: (Int32) -> Result) -> Result? {
    while true {
      // Nonblocking: opening a named pipe at this path would wait for another process.
      let file = open(path, flags | O_CLOEXEC | O_NONBLOCK, 0o600)
      guard file >= 0 else { return nil }
      defer { close(file) }
      var opened = stat()
      guard fstat(file, &opened) == 0, opened.st_mode & S_IFMT == S_IFREG else { return nil }
      guard flock(file, LOCK_EX) == 0 else { return nil }
      if isAtPath(opened) { return body(file) }
    }
  }

  /// Whether the file is still at its path: another program may have replaced it with a shorter
  /// one.
  private func isAtPath(_ opened: stat) -> Bool {
    var present = stat()
    guard stat(path, &present) == 0 else { return true }
    return present.st_ino == opened.st_ino && present.st_dev == opened.st_dev
  }

  private static func read(_ file: Int32) -> [UInt8] {
    let size = lseek(file, 0, SEEK_END)
    lseek(file, max(0, size - off_t(byteLimit)), SEEK_SET)
    return [UInt8](unsafeUninitializedCapacity: byteLimit) { buffer, count in
      while count < byteLimit {
        #if canImport(Darwin)
          let got = Darwin.read(file, buffer.baseAddress.map { $0 + count }, byteLimit - count)
        #elseif canImport(Glibc)
          let got = Glibc.read(file, buffer.baseAddress.map { $0 + count }, byteLimit - count)
        #else
          let got = Musl.read(file, buffer.baseAddress.map { $0 + count }, byteLimit - count)
        #endif
        guard got > 0 else { break }
        count += got
      }
    }
  }

  private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
    #if canImport(Darwin)
      Darwin.write(file, bytes, bytes.count) == bytes.count
    #elseif canImport(Glibc)
      Glibc.write(file, bytes, bytes.count) == bytes.count
    #else
      Musl.write(file, bytes, bytes.count) == bytes.count
    #endif
  }
}

/// The lines for the arrow keys, and the file that stores them.
struct LineHistory {
  private var log: HistoryLog
  private let file: HistoryFile?

  /// Creates the history of a name; without a name it ends with the program.
  init(name: String?) {
    file = name.flatMap { HistoryFile(name: $0) }
    log = file?.load() ?? HistoryLog(fileText: [])
  }

  var entries: [String] { log.entries }

  /// Remembers a line; returns whether it was remembered.
  mutating func add(_ line: String) -> Bool {
    guard log.add(line) else { return false }
    file?.append(line)
    return true
  }
}
