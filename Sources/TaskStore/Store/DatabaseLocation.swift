import Foundation

/// Where the tasks are stored.
public enum DatabaseLocation: Equatable, Sendable {
  /// The default: a file in the XDG data directory.
  case standard
  /// A file.
  case file(String)
  case inMemory

  /// The absolute path of the file.
  var path: String? {
    switch self {
    case .standard: Self.standardDirectory + "/tasks.sqlite"
    // Absolute, since SQLite gives some names a special meaning: here `:memory:` is an ordinary
    // name.
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
    /// Nothing can be changed, with the reason.
    case readOnly(TaskError)
  }

  /// Checks that the database can be opened; creates the standard directory, but no other.
  ///
  /// SQLite reports only one error for everything that can be wrong with a path.
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
      // Accessible for the user only, as the XDG specification requires.
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .storage("cannot create the directory \"\(directory)\"; name a file with --database")
    }
  }
}

/// What is at a path.
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
    // Root may write everywhere; a file that is marked as read-only counts as such.
    case S_IFREG where status.st_mode & 0o222 == 0 || access(path, W_OK) != 0: self = .readOnlyFile
    case S_IFREG: self = .file
    default: self = .other
    }
  }
}

/// Reads single environment variables: `ProcessInfo` creates a dictionary of all.
enum Environment {
  static subscript(_ name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// The user's home directory: from the shell's variable if it is an absolute path, else from the
  /// system.
  static var home: String {
    if let home = self["HOME"], home.hasPrefix("/") { return home }
    let entry = getpwuid(getuid())
    return entry?.pointee.pw_dir.map { String(cString: $0) } ?? NSHomeDirectory()
  }
}
