import Foundation
import ReactorREPL

/// Where a demo keeps a file: beside the lines that the console remembers.
public enum StateDirectory {
  /// The path of a file in a directory under the XDG state directory; creates the directories
  /// above it, which only the user may enter.
  ///
  /// - Parameters:
  ///   - file: The file's name.
  ///   - name: The directory's name.
  /// - Returns: The path.
  /// - Throws: Where there is no such directory, or it cannot be created.
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
    // A relative path is to be ignored, says the XDG specification.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw CommandError("there is no place to keep it; set XDG_STATE_HOME or HOME")
    }
    return home + "/.local/state"
  }
}
