/// The words after a command's name, read one after the other.
public struct ArgumentReader {
  /// The command that the words belong to.
  public let command: CommandInfo
  private var words: ArraySlice<ShellWord> = []
  private var options: [String: String] = [:]

  /// Separates options and their values from the positional words.
  public init(_ words: ArraySlice<ShellWord>, of command: CommandInfo) throws(CommandError) {
    self.command = command
    var rest = words
    // An option's value without quotes, after positional words of a text.
    var doubtful: (option: String, value: String)?
    while let word = rest.popFirst() {
      if word.looksLikeOption, word.text == "--" {
        self.words += rest
        return
      }
      guard word.looksLikeOption else {
        if let doubtful { throw .optionRunsOn(doubtful.option, doubtful.value, word.text) }
        self.words.append(word)
        continue
      }
      let option = try Option(word, followedBy: &rest, of: command)
      guard options.updateValue(option.value, forKey: option.name) == nil else {
        throw .optionTwice(option.name)
      }
      doubtful = option.isBare && !self.words.isEmpty ? (option.name, option.value) : nil
    }
  }

  /// Returns the next word, if there is one.
  public mutating func next() -> ShellWord? { words.popFirst() }

  /// Returns all remaining words.
  public mutating func rest() -> [ShellWord] {
    defer { words = [] }
    return Array(words)
  }

  /// Returns all remaining words as one text, with a blank between each two; nil if there are none.
  public mutating func text() -> String? {
    words.isEmpty ? nil : rest().map(\.text).joined(separator: " ")
  }

  /// Returns an option's value.
  public func value(of option: String) -> String? { options[option] }

  /// Throws if words were not read.
  public func end() throws(CommandError) {
    if let word = words.first { throw .tooMany(word, for: command) }
  }
}

/// One option of a line: `--memo TEXT` or `--memo=TEXT`.
private struct Option {
  var name: String
  var value: String
  /// Whether the value is a word of its own, without quotes.
  var isBare: Bool

  init(
    _ word: ShellWord, followedBy rest: inout ArraySlice<ShellWord>, of command: CommandInfo
  ) throws(CommandError) {
    let parts = word.text.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    name = String(parts[0])
    guard let parameter = command.parameter(ofOption: name) else {
      throw .unknownOption(word, of: command)
    }
    if parts.count > 1 {
      value = String(parts[1])
      isBare = false
    } else if let next = rest.first, !next.looksLikeOption {
      value = next.text
      isBare = !next.isQuoted
      rest.removeFirst()
    } else {
      throw .optionAlone(parameter, name)
    }
  }
}
