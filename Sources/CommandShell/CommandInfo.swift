/// A description of a command, for its help, for error messages and for Tab.
public struct CommandInfo: Equatable, Sendable {
  /// The command's name.
  public var name: String
  /// Other names of the command.
  public var aliases: [String] = []
  /// The parameters, in the order in which they are typed.
  public var parameters: [ParameterInfo] = []
  /// What the command does, in a few words.
  public var summary: String
  /// Further explanation; may be empty.
  public var details = ""
  /// An example of a valid line.
  public var example: String

  /// All names of the command.
  public var names: [String] { [name] + aliases }

  /// How it is typed: `add TITLE [--memo TEXT] [--section NAME]`.
  public var usage: String {
    ([names.joined(separator: ", ")] + parameters.map(\.usage)).joined(separator: " ")
  }

  /// The names of its options, as they are typed: `--memo`.
  public var options: [String] { parameters.compactMap(\.option).map { "--\($0)" } }

  /// The positional parameters.
  public var places: [ParameterInfo] { parameters.filter { $0.option == nil } }

  func parameter(ofOption name: String) -> ParameterInfo? {
    parameters.first { $0.option == name }
  }
}

/// A description of one parameter of a command.
public struct ParameterInfo: Equatable, Sendable {
  /// How much of the line belongs to the parameter.
  public enum Extent: Equatable, Sendable {
    /// One word.
    case word
    /// All remaining words, as one text: quotes are needed in rare cases only.
    case text
    /// All remaining words, as separate values.
    case words
  }

  /// What Tab offers for the parameter.
  public enum Completing: Equatable, Sendable {
    /// Nothing.
    case nothing
    /// The names of files, or of commands.
    case files, commands
    /// These words.
    case words([String])
    /// Values of the program at that moment, from ``CommandCompletion/known``.
    case known(CompletionSource)
  }

  /// The placeholder in the usage: `TITLE`.
  public var label: String
  /// What it is, in a sentence: `a title`.
  public var meaning: String
  /// How much of the line belongs to it.
  public var extent: Extent
  /// Whether it may be left out.
  public var isOptional: Bool
  /// The option that it is the value of.
  public var option: String?
  /// What Tab offers for it.
  public var completing: Completing

  /// Creates a description; by default of one positional word.
  public init(
    label: String, meaning: String, extent: Extent = .word, isOptional: Bool = false,
    option: String? = nil, completing: Completing = .nothing
  ) {
    self.label = label
    self.meaning = meaning
    self.extent = extent
    self.isOptional = isOptional
    self.option = option
    self.completing = completing
  }

  /// The meanings that say nothing about the parameter, each with the label that belongs to it.
  private static let generalMeanings = ["a word": "WORD", "a text": "TEXT", wholeNumber: "N"]

  /// The meaning of a number.
  static let wholeNumber = "a whole number"

  /// Whether a value can have blanks, so that it needs quotes.
  var mayHaveBlanks: Bool { meaning != Self.wholeNumber }

  /// The label, if it says more than the meaning; nil otherwise.
  var specificLabel: String? {
    guard option == nil, let general = Self.generalMeanings[meaning], label != general else {
      return nil
    }
    return label
  }

  /// How it is typed: `TITLE`, `N…`, `[TEXT]` or `[--memo TEXT]`.
  public var usage: String {
    let text = (option.map { "--\($0) " } ?? "") + label + (extent == .words ? "…" : "")
    return isOptional ? "[\(text)]" : text
  }
}

/// The name of a kind of values that the program completes: `"sections"`.
public struct CompletionSource: Hashable, Sendable, ExpressibleByStringLiteral {
  /// The name.
  public let name: String

  /// Creates the source of that name.
  public init(stringLiteral name: String) { self.name = name }
}
