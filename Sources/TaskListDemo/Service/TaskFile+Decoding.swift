import Foundation

extension TaskFile: Decodable {
  /// A version of the format that this program does not know.
  struct UnknownVersion: Error {
    let version: Int
  }

  init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: Name.self)
    // First of all: another version may have anything else.
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
  /// Refuses a field that means nothing: it may be one with a slip of the finger.
  fileprivate func allow(_ names: String...) throws {
    let unknown = allKeys.map(\.stringValue).filter { !names.contains($0) }.min()
    guard let unknown else { return }
    let known = names.map { "\"\($0)\"" }.joined(separator: ", ")
    throw wrong("\(shown(unknown)) means nothing here; there can be \(known)")
  }

  /// The name of a field as it can be shown: nothing in it moves the cursor.
  private func shown(_ name: String) -> String {
    TaskText.quoted(String(name.debugDescription.dropFirst().dropLast()))
  }

  /// Text that is made fit to be stored, or what is wrong with it.
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

  /// A mistake of this field, or of the whole; what it is goes along as the underlying error.
  fileprivate func wrong(_ description: String, at name: Name? = nil) -> DecodingError {
    DecodingError.dataCorrupted(
      DecodingError.Context(
        codingPath: codingPath + (name.map { [$0] } ?? []), debugDescription: description,
        underlyingError: TaskError.refused(description)))
  }
}
