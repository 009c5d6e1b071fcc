import Foundation

extension TaskService {
  /// Adds the tasks of a file, all of them or none, as one step.
  public func importFile(
    _ path: String, progress: @escaping @Sendable (TaskProgress) -> Void = { _ in }
  ) async throws(TaskError) -> TaskOutcome {
    let file = try await onBlockingThread { () throws(TaskError) in try TaskFile(path: path) }
    return try await perform(.addAll(file.drafts), progress: progress)
  }
}

extension TaskFile {
  /// The tasks to add.
  var drafts: [TaskDraft] {
    sections.flatMap { section in
      section.tasks.map { entry in
        TaskDraft(
          title: entry.title, memo: entry.memo, section: section.name, isDone: entry.isDone,
          createdAt: entry.createdAt, completedAt: entry.completedAt)
      }
    }
  }

  /// Reads a file, and validates all of it.
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

/// Runs blocking code on a thread that may block.
func onBlockingThread<Value: Sendable>(
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

extension TaskFile: Decodable {
  /// A version of the format that this program does not support.
  struct UnknownVersion: Error {
    let version: Int
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Name.self)
    // Decoded first: another version may have any other fields.
    let version = try fields.decode(Int.self, forKey: "version")
    guard version == Self.version else { throw UnknownVersion(version: version) }
    try fields.allow("version", "sections")
    sections = try fields.decode([Section].self, forKey: "sections")
  }
}

extension TaskFile.Section: Decodable {
  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Name.self)
    try fields.allow("name", "tasks")
    name = try fields.text("name", TaskText.section)
    tasks = try fields.decode([TaskFile.Entry].self, forKey: "tasks")
  }
}

extension TaskFile.Entry: Decodable {
  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Name.self)
    try fields.allow("title", "memo", "done", "created", "completed")
    title = try fields.text("title", TaskText.title)
    let hasMemo = try fields.decodeIfPresent(String.self, forKey: "memo") != nil
    memo = hasMemo ? try fields.text("memo", TaskText.memo) : nil
    createdAt = try fields.date("created")
    completedAt = try fields.date("completed")
    let isDone = try fields.decodeIfPresent(Bool.self, forKey: "done")
    self.isDone = isDone ?? (completedAt != nil)
    guard self.isDone || completedAt == nil else {
      throw fields.wrong("it is not \"done\", yet has \"completed\"; leave one of them out")
    }
  }
}

/// The name of a field, whatever it is.
private struct Name: CodingKey, ExpressibleByStringLiteral {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringLiteral name: String) { stringValue = name }
  init(stringValue name: String) { stringValue = name }
  init?(intValue: Int) { nil }
}

extension KeyedDecodingContainer<Name> {
  /// Rejects an unknown field: it may be a misspelt one.
  fileprivate func allow(_ names: String...) throws {
    let unknown = allKeys.map(\.stringValue).filter { !names.contains($0) }.min()
    guard let unknown else { return }
    let known = names.map { "\"\($0)\"" }.joined(separator: ", ")
    throw wrong("\(shown(unknown)) means nothing here; there can be \(known)")
  }

  /// A field's name for display, without control characters.
  private func shown(_ name: String) -> String {
    TaskText.quoted(String(name.debugDescription.dropFirst().dropLast()))
  }

  /// Decodes and normalises text, or throws what is wrong with it.
  fileprivate func text<Text>(_ name: Name, _ fit: (String) throws -> Text) throws -> Text {
    let text = try decode(String.self, forKey: name)
    do {
      return try fit(text)
    } catch let error as TaskError {
      throw wrong(error.description, at: name)
    }
  }

  fileprivate func date(_ name: Name) throws -> Date? {
    guard let text = try decodeIfPresent(String.self, forKey: name) else { return nil }
    guard let date = TaskFile.date(of: text) else {
      throw wrong(
        "\"\(name.stringValue)\" is no time; write it like 2026-01-31T09:30:00Z", at: name)
    }
    return date
  }

  /// An error of this field, or of the whole object; the reason is in the underlying error.
  fileprivate func wrong(_ description: String, at name: Name? = nil) -> DecodingError {
    DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath + (name.map { [$0] } ?? []), debugDescription: description,
        underlyingError: TaskError.refused(description)))
  }
}

/// What is wrong in a file, and where, for the user:
/// `task 3 in section "Home": the title is blank; …`.
struct ImportMistake: CustomStringConvertible {
  let description: String

  init(_ error: DecodingError, in data: Data) {
    switch error {
    case .typeMismatch(let type, let context):
      let name = Self.name(context.codingPath.last)
      description =
        Self.at(context.codingPath, data) + "\(name) is not \(Self.name(of: type))"
        + "; write it as 'export' does"
    case .keyNotFound(let key, let context):
      description = Self.at(context.codingPath, data) + "\(Self.name(key)) is missing; add it"
    case .valueNotFound(_, let context):
      let name = Self.name(context.codingPath.last)
      description = Self.at(context.codingPath, data) + "\(name) is null; give it a value"
    case .dataCorrupted(let context):
      let mistake = context.underlyingError as? TaskError
      description =
        mistake.map { Self.at(context.codingPath, data) + $0.description } ?? Self.noJSON(data)
    @unknown default:
      description = "it cannot be understood; write it as 'export' does"
    }
  }

  /// `JSONDecoder` does not report why a text is not JSON; `JSONSerialization` does.
  private static func noJSON(_ data: Data) -> String {
    var reason: String?
    do {
      _ = try JSONSerialization.jsonObject(with: data)
    } catch {
      reason = (error as NSError).userInfo["NSDebugDescription"] as? String
    }
    let detail = reason.map { " (\($0.split(whereSeparator: \.isNewline).joined(separator: " ")))" }
    return "this is not JSON\(detail ?? ""); write it as 'export' does"
  }

  private static func name(_ key: (any CodingKey)?) -> String {
    guard let key else { return "the whole" }
    return key.intValue == nil ? "\"\(key.stringValue)\"" : "it"
  }

  private static func name(of type: Any.Type) -> String {
    switch type {
    case is String.Type: "text"
    case is Bool.Type: "true or false"
    case is any BinaryInteger.Type: "a whole number"
    case is [Any].Type: "a list"
    default: "an object"
    }
  }

  // MARK: Location

  private static func at(_ path: [any CodingKey], _ data: Data) -> String {
    let indices = path.compactMap(\.intValue)
    guard let section = indices.first else { return "" }
    let name = sectionName(section, in: data).map { " \(TaskText.quoted($0))" } ?? " \(section + 1)"
    return indices.count > 1 ? "task \(indices[1] + 1) in section\(name): " : "section\(name): "
  }

  /// The name of the section that was being decoded, if it can be read.
  private static func sectionName(_ index: Int, in data: Data) -> String? {
    let whole = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    let sections = whole?["sections"] as? [Any]
    guard let sections, sections.indices.contains(index) else { return nil }
    let name = (sections[index] as? [String: Any])?["name"] as? String
    return name.flatMap { try? TaskText.section($0) }
  }
}
