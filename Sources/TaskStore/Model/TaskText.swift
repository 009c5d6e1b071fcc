import Foundation

/// Normalises typed text so that it can be stored and shown, or throws what is wrong with it.
public enum TaskText {
  static let titleLimit = 1_000
  static let sectionLimit = 100
  static let memoLimit = 100_000

  /// Returns a title without the blanks around it.
  static func title(_ text: String) throws(TaskError) -> String {
    try line(text, "title", limit: titleLimit)
  }

  /// Returns the name of a section without the blanks around it.
  static func section(_ text: String) throws(TaskError) -> String {
    try line(text, "name of the section", limit: sectionLimit)
  }

  /// Returns a memo, which may have several lines, without the blanks around it; `nil` if nothing
  /// is left.
  static func memo(_ text: String?) throws(TaskError) -> String? {
    guard let text else { return nil }
    let memo = text.replacingOccurrences(of: "\r\n", with: "\n")
      .trimmingCharacters(in: .whitespacesAndNewlines)
    guard !isBlank(memo) else { return nil }
    try refuse(memo, "memo", limit: memoLimit) { isControl($0) && $0 != "\n" && $0 != "\t" }
    return memo
  }

  /// A key that is equal for texts that differ in case only.
  public static func key(_ text: String) -> String {
    text.precomposedStringWithCanonicalMapping.lowercased()
  }

  /// A title for messages: in quotes, and shortened.
  public static func quoted(_ title: String) -> String {
    title.count > 40 ? "\"\(title.prefix(39))…\"" : "\"\(title)\""
  }

  // MARK: Validation

  private static func line(
    _ text: String, _ what: String, limit: Int
  ) throws(TaskError) -> String {
    let line = text.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !isBlank(line) else { throw .refused("the \(what) is blank; give it some text") }
    try refuse(line, what, limit: limit) { isControl($0) || isLineBreak($0) }
    return line
  }

  private static func refuse(
    _ text: String, _ what: String, limit: Int, where isRefused: (Unicode.Scalar) -> Bool
  ) throws(TaskError) {
    // Counted in scalars: a limit in characters would not limit the size, since a character can
    // have any length.
    guard text.unicodeScalars.count <= limit else {
      throw .refused("the \(what) is longer than \(limit) characters; shorten it")
    }
    guard let scalar = text.unicodeScalars.first(where: isRefused) else { return }
    throw .refused("the \(what) has \(name(of: scalar)) in it; leave that out")
  }

  private static func name(of scalar: Unicode.Scalar) -> String {
    switch scalar {
    case "\t": "a tab"
    case _ where isLineBreak(scalar): "a line break"
    default: "the control character \(scalar.escaped(asASCII: true))"
    }
  }

  private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.generalCategory == .control
  }

  private static func isLineBreak(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "\n", "\r", "\u{B}", "\u{C}", "\u{85}", "\u{2028}", "\u{2029}": true
    default: false
    }
  }

  /// Whether it has no visible character, only blanks and joiners.
  private static func isBlank(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy {
      $0.properties.isWhitespace || $0.properties.generalCategory == .format
    }
  }
}
