import Foundation
import ReactorREPL

/// Where a counter is kept: beside the lines that readline remembers.
enum CounterPlace {
  /// The journal's path; creates the directories above it, for nobody else's eyes.
  ///
  /// - Throws: What the file system says, or that there is no home to be found.
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
    // A relative path is to be ignored, says the XDG specification.
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") { return state }
    guard let home = environment["HOME"], home.hasPrefix("/") else {
      throw CommandError("there is no place to keep it; set XDG_STATE_HOME or HOME")
    }
    return home + "/.local/state"
  }
}
