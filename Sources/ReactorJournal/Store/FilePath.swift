import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Resolves the path of a file once, so that later changes of links or of the current folder have
/// no effect.
///
/// SQLite creates its log beside the file itself, not beside a link to it. The other files have to
/// be at the same place.
enum FilePath {
  /// As many links as the system follows.
  private static let linkLimit = 40

  /// Returns the absolute path without links.
  ///
  /// The file need not exist. The path is returned unchanged if its folder does not exist, or if
  /// the database is not a file.
  static func resolved(_ path: String) -> String {
    if path.isEmpty || path == ":memory:" { return path }
    var target = path
    for _ in 1...linkLimit {
      if let real = real(target) { return real }
      guard let next = link(target) else { break }
      target = next
    }
    let (folder, name) = split(target)
    return real(folder).map { ($0 == "/" ? "" : $0) + "/" + name } ?? path
  }

  private static func real(_ path: String) -> String? {
    guard let found = realpath(path, nil) else { return nil }
    defer { free(found) }
    return String(cString: found)
  }

  /// The target of a link, which need not exist.
  private static func link(_ path: String) -> String? {
    let files = FileManager.default
    guard let target = try? files.destinationOfSymbolicLink(atPath: path) else { return nil }
    return target.hasPrefix("/") ? target : split(path).folder + "/" + target
  }

  static func split(_ path: String) -> (folder: String, name: String) {
    guard let slash = path.lastIndex(of: "/") else { return (".", path) }
    let folder = String(path[..<slash])
    return (folder.isEmpty ? "/" : folder, String(path[path.index(after: slash)...]))
  }
}
