import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Where a file is, whatever links lead to it, and whatever becomes the current folder.
///
/// SQLite puts its log beside the file itself, not beside a link to it; so what else stands there
/// has to go by the same path.
enum FilePath {
  /// As many links as the system follows.
  private static let linkLimit = 40

  /// The absolute path, without a link in it.
  ///
  /// The file need not be there; where not even its folder is, and for a database that is no file,
  /// it is the path itself.
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

  /// What a link leads to, which need not be there.
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
