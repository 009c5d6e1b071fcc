import Foundation

/// The names of files as a user types them.
public enum FileNames {
  /// Lists a directory for completion, with a `/` at the end of each directory's name.
  @Sendable public static func inside(_ directory: String) -> [String] {
    let files = FileManager.default
    let path = directory.isEmpty ? "." : expanded(directory)
    let names = (try? files.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { name in
      var isDirectory: ObjCBool = false
      _ = files.fileExists(atPath: "\(path)/\(name)", isDirectory: &isDirectory)
      return isDirectory.boolValue ? "\(name)/" : name
    }
  }

  /// Replaces a leading `~` with the home directory.
  public static func expanded(_ path: String) -> String {
    guard path == "~" || path.hasPrefix("~/") else {
      // `~username`
      return (path as NSString).expandingTildeInPath
    }
    return Environment.home + path.dropFirst()
  }

  /// The descriptor that a path names; `-` names the given one.
  static func descriptor(_ path: String, dash: Int32) -> Int32? {
    switch path {
    case "-": return dash
    case "/dev/stdin": return STDIN_FILENO
    case "/dev/stdout": return STDOUT_FILENO
    case "/dev/stderr": return STDERR_FILENO
    default: break
    }
    for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
      return Int32(path.dropFirst(folder.count))
    }
    return nil
  }

  /// Whether a path names standard input.
  public static func isStandardInput(_ path: String) -> Bool {
    descriptor(path, dash: STDIN_FILENO) == STDIN_FILENO
  }

  /// Whether a path names standard output.
  public static func isStandardOutput(_ path: String) -> Bool {
    descriptor(path, dash: STDOUT_FILENO) == STDOUT_FILENO
  }
}
