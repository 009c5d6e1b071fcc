import Foundation

/// Reads a whole file, or the whole content of a pipe, up to a limit.
struct InputFile {
  /// More than a million tasks; reading them takes several times as much memory.
  static let byteLimit = 100 << 20
  /// How long no data may arrive, in milliseconds: the wait cannot be interrupted.
  static let patience: Int32 = 10_000

  private let path: String
  private let file: Int32

  /// Returns the contents at a path; `-` is standard input.
  static func contents(of path: String) throws(TaskError) -> Data {
    let input = try InputFile(path)
    defer { close(input.file) }
    return try input.contents()
  }

  private init(_ path: String) throws(TaskError) {
    let descriptor = FileNames.descriptor(path, dash: STDIN_FILENO)
    self.path = path == "-" ? "standard input" : "\"\(path)\""
    let isOpen =
      descriptor.map { OpenDatabase.contains(descriptor: $0) } ?? OpenDatabase.contains(path)
    guard !isOpen else {
      throw .refused("\(self.path) is a database; name a file that 'export' has written")
    }
    // Nonblocking, so that opening a named pipe does not wait for its writer: `wait` does that.
    file =
      descriptor.map { fcntl($0, F_DUPFD_CLOEXEC, 3) }
      ?? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file < 0 else { return }
    guard errno == EACCES || errno == EPERM else {
      throw .refused("there is no file \(self.path); name one that 'export' has written")
    }
    throw .storage("cannot read \(self.path); see that you may")
  }

  private func contents() throws(TaskError) -> Data {
    try requireReadableFile()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      try wait()
      let count = read(file, &buffer, buffer.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw .storage("cannot read \(path); look at the disk") }
      guard count > 0 else { return Data(bytes) }
      bytes += buffer[..<count]
      guard bytes.count <= Self.byteLimit else { throw tooLarge }
    }
  }

  private func requireReadableFile() throws(TaskError) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .storage("cannot read \(path); see that you may") }
    if status.st_mode & S_IFMT == S_IFDIR {
      throw .refused("\(path) is a directory; name a file that 'export' has written")
    }
    if isatty(file) == 1 {
      throw .refused("\(path) is a terminal; name a file that 'export' has written")
    }
    // Checked before anything is read.
    if status.st_mode & S_IFMT == S_IFREG, status.st_size > Self.byteLimit { throw tooLarge }
  }

  private var tooLarge: TaskError {
    .refused("\(path) is larger than \(Self.byteLimit >> 20) MB; split it, and import the parts")
  }

  private func wait() throws(TaskError) {
    var wait = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
    while true {
      let count = poll(&wait, 1, Self.patience)
      if count > 0 { return }
      if count == 0 { throw .storage("nothing comes from \(path); see what writes to it") }
    }
  }
}
