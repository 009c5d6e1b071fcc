/// A function with one parameter or none, parsed from the form in which the runtime writes it:
/// `App.Shop.lane(for: App.Action) async -> …`.
struct NamedFunction {
  var isStatic: Bool
  /// Whether it is `private` or `fileprivate`.
  var isPrivate: Bool
  var name: String
  /// Empty if the parameter has no label.
  var label: String
  /// The parameter's type without generic arguments; empty if there is no parameter.
  var takes: String
  /// The parameter's type with generic arguments.
  ///
  /// It may name the generic parameters of the type that the function belongs to.
  private var takesInFull: Substring
  /// Whether the parameter is any async sequence.
  var takesAnySequence: Bool
  /// The text between the parameter and the arrow.
  var effects: String
  private var result: String

  /// - Returns: `nil` for what is no function, has more than one parameter, or belongs to another
  ///   type.
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

  /// The signature as in source code, without the result.
  var signature: String {
    let words = effects.replacing("asyncthrows", with: "async throws")
    let parameter = takes.isEmpty ? "" : "\(label.isEmpty ? "_" : label):"
    return (isStatic ? "static " : "") + "\(name)(\(parameter))"
      + (words.isEmpty ? "" : " " + words)
  }

  /// Whether the parameter has a type.
  ///
  /// - Parameters:
  ///   - type: The type, with its generic arguments.
  ///   - arguments: The generic arguments of the type that the function belongs to. In the
  ///     function's name they are `A`, `B` and so on.
  /// - Returns: Whether it has.
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

  /// A type's name without its generic arguments, which a function of a generic type refers to by
  /// other names.
  static func withoutArguments(_ type: String) -> String {
    var depth = 0
    return type.filter { character in
      if character == "<" { depth += 1 }
      defer { if character == ">" { depth -= 1 } }
      return depth == 0
    }
  }

  /// Removes a qualified name from the start of a text, or one character that is no part of a name.
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

  /// The position of the bracket that closes the one at the start of a text; the `>` of an arrow
  /// does not count.
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
