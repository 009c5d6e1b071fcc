/// What can be told of a command: for its help, for complaints, and for Tab.
struct CommandInfo: Equatable, Sendable {
  var name: String
  /// Other names for the same.
  var aliases: [String] = []
  /// What it takes, in the order in which it is typed.
  var parameters: [ParameterInfo] = []
  /// What it does, in a few words.
  var summary: String
  /// What there is to say beyond that; may be empty.
  var details = ""
  /// A line that would do.
  var example: String

  var names: [String] { [name] + aliases }

  /// How it is typed: `add TITLE [--memo TEXT] [--section NAME]`.
  var usage: String {
    ([names.joined(separator: ", ")] + parameters.map(\.usage)).joined(separator: " ")
  }

  /// The names of its options, as they are typed: `--memo`.
  var options: [String] { parameters.compactMap(\.option).map { "--\($0)" } }

  /// What is typed at its place, rather than after an option's name.
  var places: [ParameterInfo] { parameters.filter { $0.option == nil } }

  func parameter(ofOption name: String) -> ParameterInfo? {
    parameters.first { $0.option == name }
  }
}

/// What can be told of one thing that a command takes.
struct ParameterInfo: Equatable, Sendable {
  /// How much of the line belongs to it.
  enum Extent: Equatable, Sendable {
    case word
    /// All words that are left, as one text: quotes are needed for the unusual only.
    case text
    /// All words that are left, each for itself.
    case words
  }

  /// What Tab offers for it.
  enum Completing: Equatable, Sendable {
    case nothing
    /// Tasks; only those that are done, or only those that are not, if it says so.
    case tasks(done: Bool?)
    /// The title of the task that the word before it names, to be changed.
    case titleOfTask
    case sections, files, commands
    case words([String])
  }

  /// What stands for it in the usage: `TITLE`.
  var label: String
  /// What it is, in a sentence: `a title`.
  var meaning: String
  var extent = Extent.word
  var isOptional = false
  /// The option that it is the value of.
  var option: String?
  var completing = Completing.nothing

  /// How it is typed: `TITLE`, `N…`, `[TEXT]` or `[--memo TEXT]`.
  var usage: String {
    let text = (option.map { "--\($0) " } ?? "") + label + (extent == .words ? "…" : "")
    return isOptional ? "[\(text)]" : text
  }
}
