import Foundation

extension TaskService {
  /// Adds the tasks of a file, all of them or none, as one step.
  func importFile(
    _ path: String, progress: @escaping @Sendable (TaskProgress) -> Void = { _ in }
  ) async throws(TaskError) -> TaskOutcome {
    let file = try await offThePool { () throws(TaskError) in try TaskFile(path: path) }
    return try await perform(.addAll(file.drafts), progress: progress)
  }
}

extension TaskFile {
  /// What to add.
  var drafts: [TaskDraft] {
    sections.flatMap { section in
      section.tasks.map { entry in
        TaskDraft(
          title: entry.title, memo: entry.memo, section: section.name, isDone: entry.isDone,
          createdAt: entry.createdAt, completedAt: entry.completedAt)
      }
    }
  }

  /// Reads a file, and checks all of it.
  init(path: String) throws(TaskError) {
    let name = path == "-" ? "standard input" : (path as NSString).lastPathComponent
    self = try Self.parse(try InputFile.contents(of: path), name)
  }

  static func parse(_ data: Data, _ name: String) throws(TaskError) -> TaskFile {
    guard String(validating: data, as: UTF8.self) != nil else {
      throw .refused("\(name) is not UTF-8 text; save it as such")
    }
    do {
      return try JSONDecoder().decode(TaskFile.self, from: data)
    } catch let error as UnknownVersion {
      throw .refused(
        "\(name) has the version \(error.version) of the format; this program reads \(version)")
    } catch let error as DecodingError {
      throw .refused("\(name): \(ImportMistake(error, in: data))")
    } catch {
      throw .refused("\(name) cannot be understood; write it as 'export' does")
    }
  }
}

/// Runs what blocks, on a thread that may be blocked.
func offThePool<Value: Sendable>(
  _ body: @escaping @Sendable () throws(TaskError) -> Value
) async throws(TaskError) -> Value {
  let result = await withCheckedContinuation { continuation in
    DispatchQueue.global().async {
      continuation.resume(returning: Result { () throws(TaskError) in try body() })
    }
  }
  guard !Task.isCancelled else { throw .cancelled }
  return try result.get()
}
