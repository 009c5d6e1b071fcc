extension Parameter where Value == String {
  /// A title: the rest of the line, and not blank.
  static func title(ofTask: Bool = false) -> Self {
    let info = ParameterInfo(
      label: "TITLE", meaning: "a title", extent: .text,
      completing: ofTask ? .titleOfTask : .nothing)
    return Self(info: info) { reader throws(CommandError) in
      guard let title = reader.text() else { throw .missing(info, of: reader.command) }
      guard !title.isBlank else { throw .blank(info, of: reader.command) }
      return title
    }
  }

  /// The name of a file: one word, so that no file is overwritten by mistake.
  static var file: Self {
    let info = ParameterInfo(label: "FILE", meaning: "the name of a file", completing: .files)
    return Self(info: info) { reader throws(CommandError) in
      guard let word = reader.next() else { throw .missing(info, of: reader.command) }
      guard !word.text.isEmpty else { throw .blank(info, of: reader.command) }
      return word.text
    }
  }
}

extension Parameter where Value == String? {
  /// A title that may be left out.
  static var optionalTitle: Self {
    let info = ParameterInfo(label: "TITLE", meaning: "a title", extent: .text, isOptional: true)
    return Self(info: info) { reader throws(CommandError) in
      guard let title = reader.text() else { return nil }
      guard !title.isBlank else { throw .blank(info, of: reader.command) }
      return title
    }
  }

  /// A text that may be left out; a blank one is none.
  static func text(_ meaning: String) -> Self {
    let info = ParameterInfo(label: "TEXT", meaning: meaning, extent: .text, isOptional: true)
    return Self(info: info) { reader in reader.text().flatMap { $0.isBlank ? nil : $0 } }
  }

  /// The name of a section: the rest of the line.
  static var section: Self {
    let info = ParameterInfo(
      label: "NAME", meaning: "a section's name", extent: .text, isOptional: true,
      completing: .sections)
    return Self(info: info) { reader throws(CommandError) in
      guard let name = reader.text() else { return nil }
      guard !name.isBlank else { throw .blank(info, of: reader.command) }
      return name
    }
  }

  /// A memo, `--memo TEXT`; a blank one is none.
  static var memoOption: Self {
    let info = ParameterInfo(label: "TEXT", meaning: "a text", isOptional: true, option: "memo")
    return Self(info: info) { reader in
      reader.value(of: "memo").flatMap { $0.isBlank ? nil : $0 }
    }
  }

  /// The section a task goes to: `--section NAME`.
  static var sectionOption: Self {
    let info = ParameterInfo(
      label: "NAME", meaning: "a section's name", isOptional: true, option: "section",
      completing: .sections)
    return Self(info: info) { reader throws(CommandError) in
      guard let name = reader.value(of: "section") else { return nil }
      guard !name.isBlank else { throw .blank(info, of: reader.command) }
      return name
    }
  }

  /// The name of a command, for its help.
  static var command: Self {
    let info = ParameterInfo(
      label: "COMMAND", meaning: "a command's name", isOptional: true, completing: .commands)
    return Self(info: info) { reader in reader.next()?.text }
  }
}
