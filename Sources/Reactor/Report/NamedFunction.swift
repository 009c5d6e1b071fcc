/// A function of one parameter, as the runtime writes its name: `App.Shop.lane(for: App.Action)
/// async -> …`.
struct NamedFunction {
  var isStatic: Bool
  var name: String
  /// Empty where the parameter has none.
  var label: String
  /// The parameter's type, without generic arguments.
  var takes: String
  /// Whether the parameter is any async sequence.
  var takesAnySequence: Bool
  /// What stands between the parameter and the arrow.
  var effects: String
  private var result: String

  /// - Returns: `nil` for what is no function of one parameter, or of another type.
  init?(_ text: String, of owner: String) {
    var rest = text[...]
    isStatic = rest.hasPrefix("static ")
    if isStatic { rest.removeFirst("static ".count) }
    guard rest.hasPrefix(owner + ".") else { return nil }
    rest.removeFirst(owner.count + 1)
    if rest.hasPrefix("(") {
      // A private one: (name in _DISCRIMINATOR).
      guard let end = rest.firstRange(of: " in "), let close = rest.firstIndex(of: ")") else {
        return nil
      }
      name = String(rest.dropFirst()[..<end.lowerBound])
      rest = rest[rest.index(after: close)...]
    } else {
      name = String(rest.prefix { $0 != "(" && $0 != "<" })
      rest.removeFirst(name.count)
    }
    var clause = Substring()
    if rest.hasPrefix("<") {
      guard let end = Self.end(of: rest) else { return nil }
      clause = rest[...end]
      rest = rest[rest.index(after: end)...]
    }
    guard rest.hasPrefix("("), let close = Self.end(of: rest) else { return nil }
    let parameter = rest.dropFirst()[..<close]
    let after = rest[rest.index(after: close)...]
    guard !parameter.isEmpty, let arrow = after.firstRange(of: "-> ") else { return nil }
    effects = after[..<arrow.lowerBound].filter { $0 != " " }
    result = String(after[arrow.upperBound...])
    let plain = Self.withoutArguments(String(parameter))
    guard !plain.contains(",") else { return nil }
    if let colon = plain.firstRange(of: ": ") {
      (label, takes) = (String(plain[..<colon.lowerBound]), String(plain[colon.upperBound...]))
    } else {
      (label, takes) = ("", plain)
    }
    takesAnySequence = clause.contains("\(takes): Swift.AsyncSequence")
  }

  /// As its author would write it, without what it returns.
  var signature: String {
    let words = effects.replacing("asyncthrows", with: "async throws")
    return (isStatic ? "static " : "") + "\(name)(\(label.isEmpty ? "_" : label):)"
      + (words.isEmpty ? "" : " " + words)
  }

  func returns(_ type: String) -> Bool {
    result == type || result.hasPrefix(type + "<") || result == "Swift.Optional<\(type)>"
  }

  /// A type's name without its generic arguments, which a function of a generic type knows by other
  /// names.
  static func withoutArguments(_ type: String) -> String {
    var depth = 0
    return type.filter { character in
      if character == "<" { depth += 1 }
      defer { if character == ">" { depth -= 1 } }
      return depth == 0
    }
  }

  /// Where the bracket closes that a text begins with; an arrow is none.
  private static func end(of text: Substring) -> Substring.Index? {
    var depth = 0
    var last: Character = " "
    for index in text.indices {
      switch text[index] {
      case "(", "<": depth += 1
      case ")": depth -= 1
      case ">" where last != "-": depth -= 1
      default: break
      }
      if depth == 0 { return index }
      last = text[index]
    }
    return nil
  }
}
