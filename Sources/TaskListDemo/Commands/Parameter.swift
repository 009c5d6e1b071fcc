/// One thing that a command takes: what can be told of it, and how words become a value.
struct Parameter<Value: Sendable>: Sendable {
  var info: ParameterInfo
  var take: @Sendable (_ from: inout ArgumentReader) throws(CommandError) -> Value
}

extension String {
  /// Whether there is nothing to see in it.
  var isBlank: Bool {
    unicodeScalars.allSatisfy { scalar in
      scalar.properties.isWhitespace || scalar.properties.generalCategory == .control
        || scalar.properties.isDefaultIgnorableCodePoint
    }
  }
}

// MARK: Tasks

extension Parameter where Value == TaskReference {
  /// One task; its title's beginning is one word, or quoted.
  static func task(_ label: String = "N") -> Self {
    let info = ParameterInfo(
      label: label, meaning: "the number of a task", completing: .tasks(done: nil))
    return Self(info: info) { reader throws(CommandError) in
      guard let word = reader.next() else { throw .missing(info, of: reader.command) }
      return try TaskReference(word, info, of: reader.command)
    }
  }

  /// One task, and nothing after it: its title's beginning may be several words.
  static var onlyTask: Self {
    let info = ParameterInfo(
      label: "N", meaning: "the number of a task", extent: .text, completing: .tasks(done: nil))
    return Self(info: info) { reader throws(CommandError) in
      guard let word = reader.next() else { throw .missing(info, of: reader.command) }
      let first = try TaskReference(word, info, of: reader.command)
      guard case .title(let start) = first, let rest = reader.text() else { return first }
      return .title("\(start) \(rest)")
    }
  }
}

extension Parameter where Value == TaskSelection {
  /// One task or more, each one word.
  static func tasks(done: Bool? = nil) -> Self {
    let info = ParameterInfo(
      label: "N", meaning: "the numbers of tasks", extent: .words, completing: .tasks(done: done))
    return Self(info: info) { reader throws(CommandError) in
      var names: [TaskName] = []
      while let word = reader.next() {
        guard !word.text.isBlank else { throw .notThat(word, for: info, of: reader.command) }
        names.append(try TaskName(word))
      }
      guard !names.isEmpty else { throw .missing(info, of: reader.command) }
      return TaskSelection(names)
    }
  }
}

extension TaskReference {
  /// Every title begins with nothing: a blank names no task.
  fileprivate init(
    _ word: ShellWord, _ info: ParameterInfo, of command: CommandInfo
  ) throws(CommandError) {
    guard !word.text.isBlank else { throw .notThat(word, for: info, of: command) }
    try self.init(word)
  }
}

// MARK: Numbers and choices

extension Parameter where Value == Int {
  /// A row of the list, 1 unless given.
  static var firstRow: Self {
    let info = ParameterInfo(label: "N", meaning: "the number of a row", isOptional: true)
    return Self(info: info) { reader throws(CommandError) in
      guard let word = reader.next() else { return 1 }
      guard !word.isQuoted, TaskName.isNumber(word.text) else {
        throw .notThat(word, for: info, of: reader.command)
      }
      return try TaskName.row(word.text)
    }
  }
}

extension Parameter where Value == String {
  /// One of a few words, whatever the case of its letters.
  static func choice(_ words: [String]) -> Self {
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
