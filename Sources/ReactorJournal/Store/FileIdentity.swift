#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The identity of the file at a path, to detect that it is no longer the file that was opened.
///
/// Writing to a file that was deleted or replaced reports no error, and the data is lost.
struct FileIdentity: Hashable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// Reads the identity of a file.
  ///
  /// - Returns: `nil` if there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
  }
}

/// A file with its identity at the time when it was opened.
struct OpenedFile: Sendable {
  let path: String
  private let identity: FileIdentity?

  init(_ path: String) { (self.path, identity) = (path, FileIdentity(path)) }

  /// Whether the file has been deleted or replaced.
  var isGone: Bool { identity == nil || FileIdentity(path) != identity }
}

/// A file has been deleted or replaced.
struct FileMissingError: Error, CustomStringConvertible {
  let path: String

  var description: String { "'\(path)' has been deleted or replaced" }
}
