import Foundation

/// Where the tasks are.
public enum DatabaseLocation: Equatable, Sendable {
  /// Where they are if nobody says otherwise: a file in the XDG data directory.
  case standard
  /// A file.
  case file(String)
  case inMemory

  /// The absolute path of the file.
  var path: String? {
    switch self {
    case .standard: Self.standardDirectory + "/tasks.sqlite"
    // Absolute, or SQLite might see more in it than a name: `:memory:` is one like any other.
    case .file(let path):
      path.hasPrefix("/") ? path : "\(FileManager.default.currentDirectoryPath)/\(path)"
    case .inMemory: nil
    }
  }

  static var standardDirectory: String {
    let home = Environment.home
    let named = Environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return "\(named ?? "\(home)/.local/share")/reactor-tasks"
  }

  /// What can be done with a database.
  enum Access: Equatable, Sendable {
    case readAndWrite
    /// Nothing can be changed, and why.
    case readOnly(TaskError)
  }

  /// Sees to it that there can be a database; creates the standard directory, and no other.
  ///
  /// SQLite has one answer for all that can be wrong with a path.
  func prepare() throws(TaskError) -> Access {
    guard let path else { return .readAndWrite }
    if case .file(let name) = self, !name.hasPrefix("/"),
      FileManager.default.currentDirectoryPath.isEmpty
    {
      throw .storage("the current directory is gone; name a file with its whole path")
    }
    let directory = (path as NSString).deletingLastPathComponent
    if self == .standard { try create(directory) }
    let kind = FileKind(path)
    switch kind {
    case .directory:
      throw .storage("\"\(path)\" is a directory; name a file, such as \"\(path)/tasks.sqlite\"")
    case .readOnlyFile:
      return .readOnly(
        .storage("\"\(path)\" is read-only; make it writable, or name another file"))
    case .other: throw .storage("\"\(path)\" is no file that can hold tasks; name another")
    case .file, .nothing: break
    }
    guard FileKind(directory) == .directory else {
      throw .storage("there is no directory \"\(directory)\"; create it, or name another file")
    }
    guard access(directory, W_OK | X_OK) == 0 else {
      let reason = TaskError.storage(
        "nothing can be written in the directory \"\(directory)\"; name a file elsewhere")
      guard kind == .file else { throw reason }
      return .readOnly(reason)
    }
    return .readAndWrite
  }

  private func create(_ directory: String) throws(TaskError) {
    guard FileKind(directory) != .directory else { return }
    do {
      // For nobody else's eyes, as the XDG base directories are to be.
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .storage("cannot create the directory \"\(directory)\"; name a file with --database")
    }
  }
}

/// What there is at a path.
private enum FileKind {
  case nothing, file, readOnlyFile, directory, other

  init(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else {
      self = .nothing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self = .directory
    // Root may write everywhere; a file that is marked as read-only is one all the same.
    case S_IFREG where status.st_mode & 0o222 == 0 || access(path, W_OK) != 0: self = .readOnlyFile
    case S_IFREG: self = .file
    default: self = .other
    }
  }
}

/// The environment, one variable at a time: `ProcessInfo` makes a dictionary of all.
enum Environment {
  static subscript(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Where the person's files are: as the shell says, if that can be a directory, else as the
  /// system does.
  static var home: String {
    if let home = self["HOME"], home.hasPrefix("/") { return home }
    let entry = getpwuid(getuid())
    return entry?.pointee.pw_dir.map { String(cString: $0) } ?? NSHomeDirectory()
  }
}
