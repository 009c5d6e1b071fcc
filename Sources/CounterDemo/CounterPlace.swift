import Foundation
import ReactorREPL

/// Where a counter is stored: in the directory of the line history.
enum CounterPlace {
  /// Returns the journal's path; creates the directories above it, with access for the user only.
  ///
  /// - Throws: The file system's error, or an error that there is no home directory.
  static func path(
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> String {
    let directory = try stateDirectory(environment) + "/reactor-counter"
    do {
      try FileManager.default.createDirectory(
        atPath: directory, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw CommandError("cannot create the directory '\(directory)'")
    }
    return directory + "/journal.sqlite"
  }

  private static func stateDirectory(_ environment: [String: String]) throws -> String {
    // The XDG specification says that a relative path is ignored.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw CommandError("there is no place to keep it; set XDG_STATE_HOME or HOME")
    }
    return home + "/.local/state"
  }
}
