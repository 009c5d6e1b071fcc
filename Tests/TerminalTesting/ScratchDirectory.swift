import Foundation
import Reactor
import ReactorRuntime

/// A directory for one test, removed with everything in it when the test is over.
public final class ScratchDirectory: Sendable {
  /// Where it is.
  public let path: String

  /// Creates an empty one.
  ///
  /// - Throws: What the file system says.
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
  ///   - name: Its path in here.
  /// - Throws: What the file system says.
  public func write(_ text: String, to name: String) throws {
    let url = URL(filePath: path).appending(path: name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    // A child that is started meanwhile would have the file open as well.
    try Descriptors.inheritance.withLock { _ in try Data(text.utf8).write(to: url) }
  }

  /// Reads a file.
  ///
  /// - Parameter name: Its path in here.
  /// - Returns: Its contents, or nil if it is not there.
  public func read(_ name: String) -> String? {
    try? String(contentsOfFile: "\(path)/\(name)", encoding: .utf8)
  }
}
