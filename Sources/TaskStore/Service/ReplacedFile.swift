import Foundation

/// A file that is written beside the one it replaces: whatever happens, one of the two is complete.
///
/// A path such as `/dev/stdout` names an open stream, not a file to be replaced: it is written to
/// directly.
///
/// It is used by one task at a time: the one that writes it.
struct ReplacedFile: Sendable {
  private let path: String
  /// The file that will replace the other; `nil` if the path is written to directly.
  private let draft: FileDraft?
  private let handle: FileHandle

  /// Starts a file, unless what exists must not be replaced.
  init(path: String) throws(TaskError) {
    if let descriptor = FileNames.descriptor(path, dash: STDOUT_FILENO) {
      guard !OpenDatabase.contains(descriptor: descriptor) else {
        throw .refused("\"\(path)\" is a database; name another file")
      }
      let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
      guard copy >= 0 else { throw .refused("\"\(path)\" is not open; name a file") }
      self.path = path == "-" ? "standard output" : path
      draft = nil
      handle = FileHandle(fileDescriptor: copy, closeOnDealloc: true)
      return
    }
    // The target of a link is replaced, not the link.
    self.path = URL(filePath: path).resolvingSymlinksInPath().path
    try Self.refuseToReplace(self.path)
    let draft = try FileDraft(of: self.path)
    self.draft = draft
    handle = draft.handle
  }

  func write(_ text: String) throws(TaskError) {
    do {
      try handle.write(contentsOf: Data(text.utf8))
    } catch {
      throw .storage("cannot write \"\(path)\"; see whether the disk is full")
    }
  }

  /// Replaces the old file with the complete new one.
  func replace() throws(TaskError) {
    guard let draft else { return }
    do {
      try handle.synchronize()
    } catch {
      throw .storage("cannot write \"\(path)\"; see whether the disk is full")
    }
    guard rename(draft.path, path) == 0 else {
      throw .storage("cannot replace \"\(path)\"; name another file")
    }
    try? handle.close()
  }

  /// Discards the incomplete file; the old one stays.
  func abandon() {
    if let draft { try? FileManager.default.removeItem(atPath: draft.path) }
    try? handle.close()
  }

  private static func refuseToReplace(_ path: String) throws(TaskError) {
    for suffix in ["-wal", "-shm", "-journal"] where path.hasSuffix(suffix) {
      guard !isDatabase(String(path.dropLast(suffix.count))) else {
        throw .refused("\"\(path)\" is part of a database; name another file")
      }
    }
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let attributes else { return }
    let type = attributes[.type] as? FileAttributeType
    guard type == .typeRegular else {
      let what = type == .typeDirectory ? "a directory" : "not a file"
      throw .refused("\"\(path)\" is \(what); name a file")
    }
    guard !isStandardOutput(path) else {
      throw .refused("\"\(path)\" is where the output goes; write to it by the name of -")
    }
    guard !isDatabase(path) else {
      throw .refused("\"\(path)\" is a database; name another file")
    }
  }

  private static func isDatabase(_ path: String) -> Bool {
    if OpenDatabase.contains(path) { return true }
    let beginning = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 15)
    return beginning == Data("SQLite format 3".utf8)
  }

  private static func isStandardOutput(_ path: String) -> Bool {
    var (file, output) = (stat(), stat())
    return stat(path, &file) == 0 && fstat(STDOUT_FILENO, &output) == 0
      && file.st_dev == output.st_dev && file.st_ino == output.st_ino
  }
}

/// A file with a unique name, beside the one that it is to replace.
///
/// It is locked while it is being written. An unlocked one was left by a program that was killed,
/// and is removed when the next one is created.
private struct FileDraft {
  let path: String
  let handle: FileHandle

  init(of path: String) throws(TaskError) {
    let folder = (path as NSString).deletingLastPathComponent
    let name = (path as NSString).lastPathComponent
    Self.removeLeftovers(in: folder, of: name)
    // Between its creation and the lock, another program may take it for a leftover.
    for _ in 1...10 {
      let path = "\(folder)/.\(name).\(UUID().uuidString)\(Self.ending)"
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
      guard file >= 0 else { break }
      let handle = FileHandle(fileDescriptor: file, closeOnDealloc: true)
      if flock(file, LOCK_EX | LOCK_NB) == 0, FileManager.default.fileExists(atPath: path) {
        self.path = path
        self.handle = handle
        return
      }
    }
    throw .storage("cannot write in the directory \"\(folder)\"; name a file elsewhere")
  }

  private static let ending = ".draft"

  /// Removes drafts that no program is writing: those of this file, and those of other files that
  /// are older than an hour.
  private static func removeLeftovers(in folder: String, of name: String) {
    let folder = folder.isEmpty ? "." : folder
    let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
    for draft in names ?? [] {
      guard let original = original(of: draft) else { continue }
      let path = "\(folder)/\(draft)"
      let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
      guard file >= 0 else { continue }
      if original == name || isStaleDraft(path), flock(file, LOCK_EX | LOCK_NB) == 0 {
        unlink(path)
      }
      close(file)
    }
  }

  /// The name of the file that a draft was to replace; nil for a file that is no draft.
  private static func original(of draft: String) -> Substring? {
    guard draft.hasPrefix("."), draft.hasSuffix(ending) else { return nil }
    let stem = draft.dropFirst().dropLast(ending.count)
    guard let dot = stem.lastIndex(of: "."),
      UUID(uuidString: String(stem[stem.index(after: dot)...])) != nil
    else { return nil }
    return stem[..<dot]
  }

  private static func isStaleDraft(_ path: String) -> Bool {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let owner = attributes?[.ownerAccountID] as? NSNumber,
      let date = attributes?[.modificationDate] as? Date
    else { return false }
    return owner.uint32Value == geteuid() && date < Date(timeIntervalSinceNow: -3_600)
  }
}
