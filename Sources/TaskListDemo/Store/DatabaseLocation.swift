import Foundation

/// Where the tasks are.
enum DatabaseLocation: Equatable, Sendable {
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
    let environment = ProcessInfo.processInfo.environment
    let home = environment["HOME"] ?? NSHomeDirectory()
    let named = environment["XDG_DATA_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    return "\(named ?? "\(home)/.local/share")/reactor-tasks"
  }

  /// Sees to it that there can be a database; creates the standard directory, and no other.
  ///
  /// SQLite has one answer for all that can be wrong with a path.
  func prepare() throws(TaskError) {
    guard let path else { return }
    let files = FileManager.default
    var isDirectory: ObjCBool = false
    if files.fileExists(atPath: path, isDirectory: &isDirectory) {
      guard !isDirectory.boolValue else {
        throw .storage("\"\(path)\" is a directory; name a file, such as \"\(path)/tasks.sqlite\"")
      }
      guard files.isWritableFile(atPath: path) else {
        throw .storage("\"\(path)\" is read-only; make it writable, or name another file")
      }
    }
    let directory = (path as NSString).deletingLastPathComponent
    if self == .standard {
      do {
        try files.createDirectory(atPath: directory, withIntermediateDirectories: true)
      } catch {
        throw .storage("cannot create the directory \"\(directory)\"; name a file with --database")
      }
    }
    guard files.fileExists(atPath: directory, isDirectory: &isDirectory), isDirectory.boolValue
    else {
      throw .storage("there is no directory \"\(directory)\"; create it, or name another file")
    }
    guard files.isWritableFile(atPath: directory) else {
      throw .storage(
        "nothing can be written in the directory \"\(directory)\"; name a file elsewhere")
    }
  }
}
