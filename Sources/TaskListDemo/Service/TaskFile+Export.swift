import Foundation

extension TaskService {
  /// Writes all tasks into a file; an older one is replaced when the new one is whole.
  ///
  /// Gives the number of tasks.
  func exportFile(_ path: String) async throws(TaskError) -> Int {
    let file = try await offThePool { () throws(TaskError) in try ReplacedFile(path: path) }
    do {
      let end = try await pages(of: TaskQuery(), size: 500, into: TaskFileWriter(file: file)) {
        writer, page throws(TaskError) in try writer.write(page)
      }
      return try await offThePool { () throws(TaskError) in
        var writer = end
        return try writer.finish()
      }
    } catch {
      file.abandon()
      throw error
    }
  }
}

/// Writes tasks as they come, so that it never has all of them at once.
struct TaskFileWriter: Sendable {
  let file: ReplacedFile
  private var section: TaskSection.ID?
  private var names: [TaskSection.ID: String] = [:]
  private var count = 0

  init(file: ReplacedFile) { self.file = file }

  mutating func write(_ page: TaskPage) throws(TaskError) {
    var text = page.offset == 0 ? "{\"version\": \(TaskFile.version), \"sections\": [" : ""
    // All pages are of one moment.
    if names.isEmpty { names = page.sections.names }
    for task in page.tasks {
      if task.sectionID == section {
        text += ",\n"
      } else {
        let name = names[task.sectionID] ?? ""
        text += "\(section == nil ? "" : "\n  ]},")\n  {\"name\": \(json(name)), \"tasks\": [\n"
        section = task.sectionID
      }
      text += "    \(json(task))"
      count += 1
    }
    try file.write(text)
  }

  mutating func finish() throws(TaskError) -> Int {
    try file.write(section == nil ? "]}\n" : "\n  ]}\n]}\n")
    try file.replace()
    return count
  }

  private func json(_ task: TaskItem) -> String {
    var fields = ["\"title\": \(json(task.title))"]
    if let memo = task.memo { fields.append("\"memo\": \(json(memo))") }
    fields.append("\"done\": \(task.isDone)")
    fields.append("\"created\": \(json(TaskFile.text(of: task.createdAt)))")
    if let completedAt = task.completedAt {
      fields.append("\"completed\": \(json(TaskFile.text(of: completedAt)))")
    }
    return "{\(fields.joined(separator: ", "))}"
  }

  private func json(_ text: String) -> String { JSONText.quoted(text) }
}
