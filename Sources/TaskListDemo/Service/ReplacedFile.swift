import Foundation

/// A file that is written beside the one it replaces: whatever happens, one of the two is whole.
///
/// Used by one at a time: whoever writes it.
struct ReplacedFile: Sendable {
  private let path: String
  private let draft: String
  private let handle: FileHandle

  /// Begins a file, unless what is there should not be replaced.
  init(path: String) throws(TaskError) {
    // What a link leads to is replaced, not the link.
    self.path = URL(filePath: path).resolvingSymlinksInPath().path
    try Self.refuseToReplace(self.path)
    let directory = (self.path as NSString).deletingLastPathComponent
    draft = "\(directory)/.\((self.path as NSString).lastPathComponent).\(UUID().uuidString)"
    guard FileManager.default.createFile(atPath: draft, contents: nil),
      let handle = FileHandle(forWritingAtPath: draft)
    else {
      throw .storage("cannot write in the directory \"\(directory)\"; name a file elsewhere")
    }
    self.handle = handle
  }

  func write(_ text: String) throws(TaskError) {
    do {
      try handle.write(contentsOf: Data(text.utf8))
    } catch {
      throw .storage("cannot write \"\(path)\"; see whether the disk is full")
    }
  }

  /// The file is whole: from now on it is the one.
  func replace() throws(TaskError) {
    do {
      try handle.synchronize()
      try handle.close()
    } catch {
      throw .storage("cannot write \"\(path)\"; see whether the disk is full")
    }
    guard rename(draft, path) == 0 else {
      throw .storage("cannot replace \"\(path)\"; name another file")
    }
  }

  /// The file will not be whole: what there was stays.
  func abandon() {
    try? handle.close()
    try? FileManager.default.removeItem(atPath: draft)
  }

  private static func refuseToReplace(_ path: String) throws(TaskError) {
    let attributes = try? FileManager.default.attributesOfItem(atPath: path)
    guard let attributes else { return }
    let type = attributes[.type] as? FileAttributeType
    guard type == .typeRegular else {
      let what = type == .typeDirectory ? "a directory" : "not a file"
      throw .refused("\"\(path)\" is \(what); name a file")
    }
    let beginning = try? FileHandle(forReadingAtPath: path)?.read(upToCount: 15)
    guard beginning != Data("SQLite format 3".utf8) else {
      throw .refused("\"\(path)\" is a database; name another file")
    }
  }
}
