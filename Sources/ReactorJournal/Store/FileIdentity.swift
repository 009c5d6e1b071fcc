#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Which file there is at a path: to notice that it is no longer the one that was opened.
///
/// What is written to a file that has been deleted, or replaced, goes nowhere, and no error says
/// so.
struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let number: UInt64

  /// - Returns: `nil` where there is no file.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    (device, number) = (UInt64(truncatingIfNeeded: status.st_dev), UInt64(status.st_ino))
  }
}

/// A file as it was when it was opened.
struct OpenedFile: Sendable {
  let path: String
  private let identity: FileIdentity?

  init(_ path: String) { (self.path, identity) = (path, FileIdentity(path)) }

  /// Whether there is none at its place by now, or another one.
  var isGone: Bool { identity == nil || FileIdentity(path) != identity }
}

/// A file that is not at its place any more.
struct FileGone: Error, CustomStringConvertible {
  let path: String

  var description: String { "'\(path)' has been deleted or replaced" }
}
