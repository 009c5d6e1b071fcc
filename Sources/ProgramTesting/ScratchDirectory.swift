import Foundation
import Reactor
import ReactorRuntime

/// A directory for one test; it is removed with its contents when it is released.
public final class ScratchDirectory: Sendable {
  /// The path.
  public let path: String

  /// Creates an empty directory.
  ///
  /// - Throws: The error of the file system.
  public init() throws {
    let url = FileManager.default.temporaryDirectory.appending(path: "scratch-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    path = url.path
  }

  deinit {
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Writes a file, creating the directories above it.
  ///
  /// - Parameters:
  ///   - text: Its contents.
  ///   - name: Its path in the directory.
  /// - Throws: The error of the file system.
  public func write(_ text: String, to name: String) throws {
    let url = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // A child that is started meanwhile would inherit the open file.
    try Descriptors.inheritance.withLock { _ in try Data(text.utf8).write(to: url) }
  }

  /// Reads a file.
  ///
  /// - Parameter name: Its path in the directory.
  /// - Returns: Its contents, or nil if it does not exist.
  public func read(_ name: String) -> String? {
    try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }
}
