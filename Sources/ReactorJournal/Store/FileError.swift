import GRDB

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The reason why the file of a store cannot be used, with its path and a remedy, in one line.
enum FileError: Error, CustomStringConvertible {
  case noPath
  case folder(String)
  case noFolder(String)
  case notAFolder(String)
  /// A pipe, a socket or a device.
  case notAFile(String)
  /// A link to a file that does not exist and cannot be created there.
  case danglingLink(String)
  /// The path cannot be resolved: links form a cycle, or a name is too long.
  case unresolvablePath(String, String)
  case inaccessibleFolder(String, String)
  case unreadable(String, String)
  case unwritable(String, String)
  /// SQLite's message about a file, without the SQL statement.
  case refused(String, String)

  var description: String {
    switch self {
    case .noPath: "the path is empty: give that of a file, or use .inMemory"
    case .folder(let path): "'\(path)' is a folder: give the path of a file, such as one in it"
    case .noFolder(let path):
      "the folder '\(path)' does not exist: make it first, or give another path"
    case .notAFolder(let path): "'\(path)' is no folder: give another path"
    case .notAFile(let path): "'\(path)' is neither a file nor a folder: give the path of a file"
    case .danglingLink(let path):
      "'\(path)' is a link into a folder that does not exist: make it first, or give another path"
    case .unresolvablePath(let path, let why): "there is no '\(path)': \(why); give another path"
    case .inaccessibleFolder(let path, let why):
      "the folder '\(path)' may not be entered: \(why); let this process enter it, or give another "
        + "path"
    case .unreadable(let path, let why):
      "'\(path)' may not be read: \(why); let this process read it, or give another path"
    case .unwritable(let path, let why):
      "'\(path)' may not be written: \(why); let this process write it, or give another path"
    case .refused(let path, let why): "SQLite says of '\(path)': \(why)"
    }
  }

  // MARK: Before SQLite

  /// Checks whether the file can be used, before SQLite fails with a message of its own.
  ///
  /// SQLite opens a read-only file without an error, and fails at the first write.
  ///
  /// - Parameter path: The resolved path; see ``FilePath/resolved(_:)``.
  /// - Throws: ``FileError``; nothing has been created or changed.
  static func check(_ path: String) throws {
    if path.isEmpty { throw FileError.noPath }
    if path == ":memory:" { return }
    let parent = FilePath.split(path).folder
    switch kind(of: parent) {
    case .success(let kind) where kind != S_IFDIR: throw FileError.notAFolder(parent)
    case .failure(let failure) where failure.code == ENOENT: throw FileError.noFolder(parent)
    case .failure(let failure) where failure.code == ENOTDIR: throw FileError.notAFolder(parent)
    case .failure(let failure) where failure.code != EACCES:
      throw FileError.unresolvablePath(parent, failure.description)
    default: try checkRights(to: parent, X_OK)
    }
    switch kind(of: path) {
    case .success(S_IFREG): break
    case .success(S_IFDIR): throw FileError.folder(path)
    case .success: throw FileError.notAFile(path)
    case .failure(let failure) where failure.code != ENOENT:
      throw FileError.unresolvablePath(path, failure.description)
    // All links have been resolved as far as possible.
    case .failure: if isLink(path) { throw FileError.danglingLink(path) }
    }
    // The files beside it are opened as well. They may belong to another user, the first to run the
    // program.
    for file in ["", "-wal", "-shm", ".owners"].map({ path + $0 }) {
      if case .success = kind(of: file) {
        try checkRights(to: file, R_OK, W_OK)
      } else {
        try checkRights(to: parent, W_OK)
      }
    }
  }

  private static func kind(of path: String) -> Result<mode_t, SystemFailure> {
    var status = stat()
    guard stat(path, &status) == 0 else { return .failure(SystemFailure(code: errno)) }
    return .success(status.st_mode & S_IFMT)
  }

  private static func isLink(_ path: String) -> Bool {
    var status = stat()
    return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK
  }

  private static func checkRights(to path: String, _ rights: Int32...) throws {
    for right in rights where access(path, right) != 0 {
      let why = SystemFailure(code: errno).description
      switch right {
      case W_OK: throw FileError.unwritable(path, why)
      case X_OK: throw FileError.inaccessibleFolder(path, why)
      default: throw FileError.unreadable(path, why)
      }
    }
  }

  // MARK: After SQLite

  /// Converts an error of SQLite or GRDB into one that names the file and contains no SQL.
  static func of(_ error: any Error, in path: String) -> any Error {
    guard let error = error as? DatabaseError else { return error }
    let why = error.message ?? "error \(error.extendedResultCode.rawValue)"
    switch error.resultCode {
    case .SQLITE_FULL: return DiskFullError(path: path)
    case .SQLITE_READONLY: return FileError.unwritable(path, why)
    default: return FileError.refused(path, why)
    }
  }
}
