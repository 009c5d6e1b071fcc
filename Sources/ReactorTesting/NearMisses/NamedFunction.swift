/// A function of one parameter, or of none, as the runtime writes its name:
/// `App.Shop.lane(for: App.Action) async -> …`.
struct NamedFunction {
  var isStatic: Bool
  /// Whether it is seen in its file, or in its type, alone.
  var isPrivate: Bool
  var name: String
  /// Empty where the parameter has none.
  var label: String
  /// The parameter's type, without generic arguments; empty where there is no parameter.
  var takes: String
  /// The same with them; where the function is a generic type's, that one's parameters may stand in
  /// it.
  private var takesInFull: Substring
  /// Whether the parameter is any async sequence.
  var takesAnySequence: Bool
  /// What stands between the parameter and the arrow.
  var effects: String
  private var result: String

  /// - Returns: `nil` for what is no function, has more than one parameter, or is another type's.
  init?(_ text: String, of owner: String) {
    var rest = text[...]
    isStatic = rest.hasPrefix("static ")
    if isStatic { rest.removeFirst("static ".count) }
    guard rest.hasPrefix(owner + ".") else { return nil }
    rest.removeFirst(owner.count + 1)
    isPrivate = rest.hasPrefix("(")
    if isPrivate {
      // (name in _DISCRIMINATOR)
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
    guard let arrow = after.firstRange(of: "-> ") else { return nil }
    effects = after[..<arrow.lowerBound].filter { $0 != " " }
    result = String(after[arrow.upperBound...])
    let plain = Self.withoutArguments(String(parameter))
    guard !plain.contains(",") else { return nil }
    if let colon = plain.firstRange(of: ": ") {
      (label, takes) = (String(plain[..<colon.lowerBound]), String(plain[colon.upperBound...]))
      takesInFull = parameter.dropFirst(label.count + 2)
    } else {
      (label, takes) = ("", plain)
      takesInFull = parameter
    }
    takesAnySequence = clause.contains("\(takes): Swift.AsyncSequence")
  }

  /// As its author would write it, without what it returns.
  var signature: String {
    let words = effects.replacing("asyncthrows", with: "async throws")
    let parameter = takes.isEmpty ? "" : "\(label.isEmpty ? "_" : label):"
    return (isStatic ? "static " : "") + "\(name)(\(parameter))"
      + (words.isEmpty ? "" : " " + words)
  }

  /// Whether the parameter is of a type.
  ///
  /// - Parameters:
  ///   - type: The type, with its generic arguments.
  ///   - arguments: Those of the type whose function this is, which knows them as `A`, `B` and so
  ///     on.
  /// - Returns: Whether it is.
  func takes(_ type: String, arguments: [String]) -> Bool {
    var (rest, full) = (takesInFull, "")
    while let word = Self.word(&rest) {
      let index = word.utf8.count == 1 ? Int(word.utf8.first ?? 0) - Int(UInt8(ascii: "A")) : -1
      full += arguments.indices.contains(index) ? arguments[index] : String(word)
    }
    return full == type
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

  /// Takes a name off a text, with what it is inside of; or one character that is part of no name.
  private static func word(_ text: inout Substring) -> Substring? {
    let name = text.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "." }
    let word = name.isEmpty ? text.prefix(1) : name
    text.removeFirst(word.count)
    return word.isEmpty ? nil : word
  }

  /// The generic arguments at the end of a type's name.
  static func arguments(of type: String) -> [String] {
    guard type.last == ">", let start = type.firstIndex(of: "<"),
      end(of: type[start...]) == type.indices.last
    else { return [] }
    var (depth, arguments) = (0, [""])
    var last: Character = " "
    for character in type[start...].dropFirst().dropLast() {
      switch character {
      case "(", "<", "[": depth += 1
      case ")", "]": depth -= 1
      case ">" where last != "-": depth -= 1
      default: break
      }
      last = character
      if depth == 0, character == "," {
        arguments.append("")
      } else if character != " " || arguments.last != "" {
        arguments[arguments.count - 1].append(character)
      }
    }
    return arguments
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
