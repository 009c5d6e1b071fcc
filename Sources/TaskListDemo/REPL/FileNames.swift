import Foundation

/// What Tab offers where the name of a file is expected.
enum FileNames {
  /// The names in a directory, those of directories with a `/` at their end.
  @Sendable static func inside(_ directory: String) -> [String] {
    let files = FileManager.default
    let path = directory.isEmpty ? "." : expanded(directory)
    let names = (try? files.contentsOfDirectory(atPath: path)) ?? []
    return names.sorted().map { name in
      var isDirectory: ObjCBool = false
      _ = files.fileExists(atPath: "\(path)/\(name)", isDirectory: &isDirectory)
      return isDirectory.boolValue ? "\(name)/" : name
    }
  }

  /// A path whose `~`, if it begins with one, is the home directory.
  static func expanded(_ path: String) -> String { (path as NSString).expandingTildeInPath }
}
