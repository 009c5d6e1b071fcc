/// One parameter of a command: its description, and how words are converted to a value.
public struct Parameter<Value: Sendable>: Sendable {
  /// The parameter's description.
  public var info: ParameterInfo
  /// Reads its words from those that are left; throws if they do not fit.
  public var take: @Sendable (_ from: inout ArgumentReader) throws(CommandError) -> Value

  /// Creates a parameter with a description and a closure that reads it.
  public init(
    info: ParameterInfo,
    take: @escaping @Sendable (_ from: inout ArgumentReader) throws(CommandError) -> Value
  ) {
    self.info = info
    self.take = take
  }
}

extension String {
  /// Whether it has no visible character.
  public var isBlank: Bool {
    unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        || scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}

// MARK: Numbers and choices

extension Parameter where Value == Int {
  /// A whole number, `5` or `-5`.
  ///
  /// - Parameters:
  ///   - label: The placeholder in the usage.
  ///   - range: The allowed numbers.
  ///   - absent: The value if it is left out; nil if it must not be.
  /// - Returns: The parameter.
  public static func number(
    _ label: String = "N", in range: ClosedRange<Int> = .min ... .max, absent: Int? = nil
  ) -> Self {
    let info = ParameterInfo(
      label: label, meaning: ParameterInfo.wholeNumber, isOptional: absent != nil)
    return Self(info: info) { reader throws(CommandError) in
      guard let word = reader.next() else {
        if let absent { return absent }
        throw .missing(info, of: reader.command)
      }
      let digits =
        word.text.first.map { "+-".contains($0) } == true
        ? word.text.dropFirst() : word.text[...]
      guard ShellWord.isDigits(digits) else { throw .notThat(word, for: info, of: reader.command) }
      guard let number = Int(word.text), range.contains(number) else {
        throw .outOfRange(word, range)
      }
      return number
    }
  }
}

extension Parameter where Value == String {
  /// One of a few words, ignoring case.
  public static func choice(_ words: [String]) -> Self {
    let meaning = CommandError.alternatives(words).filter { $0 != "'" }
    let info = ParameterInfo(
      label: words.joined(separator: "|"), meaning: meaning, completing: .words(words))
    return Self(info: info) { reader throws(CommandError) in
      guard let word = reader.next() else { throw .missing(info, of: reader.command) }
      guard let choice = words.first(where: { $0 == word.text.lowercased() }) else {
        throw .notThat(word, for: info, of: reader.command)
      }
      return choice
    }
  }
}

// MARK: Texts

extension Parameter where Value == String {
  /// One word, which must not be blank; in quotes it may have blanks.
  ///
  /// - Parameters:
  ///   - label: The placeholder in the usage: `NAME`.
  ///   - meaning: What it is, in a sentence: `a name`.
  ///   - completing: What Tab offers for it.
  /// - Returns: The parameter.
  public static func word(
    _ label: String = "WORD", _ meaning: String = "a word",
    completing: ParameterInfo.Completing = .nothing
  ) -> Self {
    oneWord(ParameterInfo(label: label, meaning: meaning, completing: completing)) { $0.isBlank }
  }

  private static func oneWord(
    _ info: ParameterInfo, isBlank: @escaping @Sendable (String) -> Bool
  ) -> Self {
    Self(info: info) { reader throws(CommandError) in
      guard let word = reader.next() else { throw .missing(info, of: reader.command) }
      guard !isBlank(word.text) else { throw .blank(info, of: reader.command) }
      return word.text
    }
  }

  /// The rest of the line, which must not be blank; only as the last parameter.
  ///
  /// - Parameters:
  ///   - label: The placeholder in the usage: `TITLE`.
  ///   - meaning: What it is, in a sentence: `a title`.
  ///   - completing: What Tab offers for it.
  /// - Returns: The parameter.
  public static func text(
    _ label: String = "TEXT", _ meaning: String = "a text",
    completing: ParameterInfo.Completing = .nothing
  ) -> Self {
    let info = ParameterInfo(
      label: label, meaning: meaning, extent: .text, completing: completing)
    return Self(info: info) { reader throws(CommandError) in
      guard let text = reader.text() else { throw .missing(info, of: reader.command) }
      guard !text.isBlank else { throw .blank(info, of: reader.command) }
      return text
    }
  }

  /// The name of a file: one word, so that no file is overwritten by mistake.
  public static var file: Self {
    oneWord(
      ParameterInfo(label: "FILE", meaning: "the name of a file", completing: .files)
    ) { $0.isEmpty }
  }
}

extension Parameter where Value == String? {
  /// The rest of the line; it may be left out, but must not be blank.
  public static func optionalText(
    _ label: String = "TEXT", _ meaning: String = "a text",
    completing: ParameterInfo.Completing = .nothing
  ) -> Self {
    let info = ParameterInfo(
      label: label, meaning: meaning, extent: .text, isOptional: true, completing: completing)
    return Self(info: info) { reader throws(CommandError) in
      guard let text = reader.text() else { return nil }
      guard !text.isBlank else { throw .blank(info, of: reader.command) }
      return text
    }
  }

  /// The rest of the line; nil if it is left out or blank, to remove a text.
  public static func textOrNone(_ label: String = "TEXT", _ meaning: String) -> Self {
    let info = ParameterInfo(label: label, meaning: meaning, extent: .text, isOptional: true)
    return Self(info: info) { reader in reader.text().flatMap { $0.isBlank ? nil : $0 } }
  }

  /// The value of an option, `--memo TEXT`.
  ///
  /// - Parameters:
  ///   - name: Its name, without the dashes.
  ///   - label: The placeholder for the value in the usage.
  ///   - meaning: What the value is, in a sentence.
  ///   - completing: What Tab offers for it.
  ///   - mayBeBlank: Whether a blank value is nil; otherwise it is an error.
  /// - Returns: The parameter.
  public static func option(
    _ name: String, _ label: String = "TEXT", _ meaning: String = "a text",
    completing: ParameterInfo.Completing = .nothing, mayBeBlank: Bool = false
  ) -> Self {
    let info = ParameterInfo(
      label: label, meaning: meaning, isOptional: true, option: name, completing: completing)
    return Self(info: info) { reader throws(CommandError) in
      guard let value = reader.value(of: name) else { return nil }
      guard value.isBlank else { return value }
      if mayBeBlank { return nil }
      throw .blank(info, of: reader.command)
    }
  }

  /// The name of a command, for its help.
  public static var command: Self {
    let info = ParameterInfo(
      label: "COMMAND", meaning: "a command's name", isOptional: true, completing: .commands)
    return Self(info: info) { reader in reader.next()?.text }
  }
}
