/// What can be told of a command: for its help, for complaints, and for Tab.
public struct CommandInfo: Equatable, Sendable {
  /// What it is called.
  public var name: String
  /// Other names for the same.
  public var aliases: [String] = []
  /// What it takes, in the order in which it is typed.
  public var parameters: [ParameterInfo] = []
  /// What it does, in a few words.
  public var summary: String
  /// What there is to say beyond that; may be empty.
  public var details = ""
  /// A line that would do.
  public var example: String

  /// All that it is called.
  public var names: [String] { [name] + aliases }

  /// How it is typed: `add TITLE [--memo TEXT] [--section NAME]`.
  public var usage: String {
    ([names.joined(separator: ", ")] + parameters.map(\.usage)).joined(separator: " ")
  }

  /// The names of its options, as they are typed: `--memo`.
  public var options: [String] { parameters.compactMap(\.option).map { "--\($0)" } }

  /// What is typed at its place, rather than after an option's name.
  public var places: [ParameterInfo] { parameters.filter { $0.option == nil } }

  func parameter(ofOption name: String) -> ParameterInfo? {
    parameters.first { $0.option == name }
  }
}

/// What can be told of one thing that a command takes.
public struct ParameterInfo: Equatable, Sendable {
  /// How much of the line belongs to it.
  public enum Extent: Equatable, Sendable {
    /// One word.
    case word
    /// All words that are left, as one text: quotes are needed for the unusual only.
    case text
    /// All words that are left, each for itself.
    case words
  }

  /// What Tab offers for it.
  public enum Completing: Equatable, Sendable {
    /// Nothing.
    case nothing
    /// The names of files, of commands.
    case files, commands
    /// These words.
    case words([String])
    /// What the program knows by then: asked of ``CommandCompletion/known``.
    case known(CompletionSource)
  }

  /// What stands for it in the usage: `TITLE`.
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

  /// One word at its place, unless told otherwise.
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

  /// How it is typed: `TITLE`, `N…`, `[TEXT]` or `[--memo TEXT]`.
  public var usage: String {
    let text = (option.map { "--\($0) " } ?? "") + label + (extent == .words ? "…" : "")
    return isOptional ? "[\(text)]" : text
  }
}

/// Names something that a program knows of, and Tab can offer: `"sections"`.
public struct CompletionSource: Hashable, Sendable, ExpressibleByStringLiteral {
  /// What it is called.
  public let name: String

  /// The source of that name.
  public init(stringLiteral name: String) { self.name = name }
}
