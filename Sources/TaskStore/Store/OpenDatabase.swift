import Foundation

/// A database that this process has open, as long as the object lives.
///
/// SQLite's locks belong to the process: if it closes any descriptor of a file of the database, the
/// system releases all of its locks on that file. Then another program may remove the log that this
/// one is using. So a file is compared with these before it is opened or closed.
final class OpenDatabase: Sendable {
  private static let paths = Locked<[ObjectIdentifier: [String]]>([:])

  /// - Parameter path: The path of the main file, which need not exist yet.
  init(_ path: String) {
    let files = ["", "-wal", "-shm"].map { path + $0 }
    Self.paths.withLock { $0[ObjectIdentifier(self)] = files }
  }

  deinit {
    let this = ObjectIdentifier(self)
    Self.paths.withLock { _ = $0.removeValue(forKey: this) }
  }

  /// Whether a path names a file of an open database, under any of its names.
  static func contains(_ path: String) -> Bool { contains(FileIdentity(path)) }

  /// Whether a descriptor is open on a file of an open database.
  static func contains(descriptor: Int32) -> Bool {
    contains(FileIdentity(descriptor: descriptor))
  }

  private static func contains(_ file: FileIdentity?) -> Bool {
    guard let file else { return false }
    return paths.withLock { $0.values.joined().contains { FileIdentity($0) == file } }
  }
}

/// The identity of a file.
struct FileIdentity: Equatable {
  private let device: dev_t
  private let number: ino_t

  /// Reads the identity of the file at a path.
  init?(_ path: String) {
    var status = stat()
    guard stat(path, &status) == 0 else { return nil }
    self.init(status)
  }

  /// Reads the identity of the file that a descriptor is open on.
  init?(descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  private init(_ status: stat) { (device, number) = (status.st_dev, status.st_ino) }
}
