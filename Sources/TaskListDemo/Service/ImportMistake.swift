import Foundation

/// What is wrong in a file, and where, for a person: `task 3 in section "Home": the title is blank;
/// …`.
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

  /// The decoder does not say what is no JSON in a text; its older sister does.
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

  // MARK: Where

  private static func at(_ path: [any CodingKey], _ data: Data) -> String {
    let indices = path.compactMap(\.intValue)
    guard let section = indices.first else { return "" }
    let name = sectionName(section, in: data).map { " \(TaskText.quoted($0))" } ?? " \(section + 1)"
    return indices.count > 1 ? "task \(indices[1] + 1) in section\(name): " : "section\(name): "
  }

  /// What the section is called that is being read, if it has got as far as that.
  private static func sectionName(_ index: Int, in data: Data) -> String? {
    let whole = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
    let sections = whole?["sections"] as? [Any]
    guard let sections, sections.indices.contains(index) else { return nil }
    let name = (sections[index] as? [String: Any])?["name"] as? String
    return name.flatMap { try? TaskText.section($0) }
  }
}
