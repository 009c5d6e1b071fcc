import Foundation
import ReactorREPL

/// The directory of a demo's files, which also has the console's line history.
public enum StateDirectory {
  /// Returns the path of a file in a directory of the XDG state directory; creates the directories
  /// above it, with access for the user only.
  ///
  /// - Parameters:
  ///   - file: The file's name.
  ///   - name: The directory's name.
  /// - Returns: The path.
  /// - Throws: An error if there is no home directory, or a directory cannot be created.
  public static func path(of file: String, in name: String) throws -> String {
    let directory = try base() + "/\(name)"
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandError("cannot create the directory '\(directory)'")
    }
    return "\(directory)/\(file)"
  }

  private static func base() throws -> String {
    let environment = ProcessInfo.processInfo.environment
    // The XDG specification says that a relative path is ignored.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw CommandError("there is no place to keep it; set XDG_STATE_HOME or HOME")
    }
    return home + "/.local/state"
  }
}
