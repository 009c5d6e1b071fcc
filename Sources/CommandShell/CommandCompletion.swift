/// What Tab offers: made from the commands of the screen, and from what the program knows.
///
/// Whatever it completes reads as what was offered: it is quoted where it must be.
public struct CommandCompletion: Sendable {
  /// Names what is in a directory, directories with a `/` at their end; "" is the current one.
  public typealias FileLister = @Sendable (_ directory: String) -> [String]

  /// Offers what a program knows by a name, of what begins as it was typed; `previous` is the word
  /// before, of the same command.
  public typealias Known =
    @Sendable (_ source: CompletionSource, _ typed: String, _ previous: ShellWord?)
    -> [CompletionOffer]

  /// The commands of the screen.
  public var commands: [CommandInfo]
  /// What is in a directory.
  public var files: FileLister
  /// What the program knows.
  public var known: Known
  /// Whether a word may be the beginning of a text of several words, were it quoted: if nothing is
  /// offered for `mi`, `buy mi` is tried.
  public var isPartOfText: @Sendable (ShellWord) -> Bool

  /// Completes these commands; files, and what only the program knows, where told how.
  public init(
    commands: [CommandInfo], files: @escaping FileLister = { _ in [] },
    isPartOfText: @escaping @Sendable (ShellWord) -> Bool = { !$0.isQuoted },
    known: @escaping Known = { _, _, _ in [] }
  ) {
    self.commands = commands
    self.files = files
    self.isPartOfText = isPartOfText
    self.known = known
  }

  /// What the end of a line, up to the cursor, could become.
  public func completion(of line: String) -> LineCompletion {
    var place = CompletionPlace(in: line, of: commands, isPartOfText: isPartOfText)
    var found = offers(at: place)
    while found.isEmpty, let wider = place.widened {
      place = wider
      found = offers(at: place)
    }
    return place.completion(of: line, from: found)
  }

  private func offers(at place: CompletionPlace) -> [CompletionOffer] {
    switch place.wanted {
    case .nothing: []
    case .command: Self.words(commands.flatMap(\.names), beginningWith: place.typed)
    case .option(let options):
      // They are offered as what they are: in quotes they would be texts.
      Self.words(options, beginningWith: place.typed).map { offer in
        var offer = offer
        offer.isVerbatim = true
        return offer
      }
    case .argument(let parameter, let previous):
      switch parameter.completing {
      case .nothing: []
      case .words(let words): Self.words(words, beginningWith: place.typed)
      case .commands: Self.words(commands.flatMap(\.names), beginningWith: place.typed)
      case .known(let source): known(source, place.typed, previous)
      case .files: files(at: place)
      }
    }
  }

  private func files(at place: CompletionPlace) -> [CompletionOffer] {
    let folder = String(place.typed.reversed().drop { $0 != "/" }.reversed())
    let begun = place.typed.dropFirst(folder.count)
    let names = files(folder).filter { name in
      name.hasPrefix(begun) && (!name.hasPrefix(".") || begun.hasPrefix("."))
        && Self.isTypeable(name)
    }
    return names.map { name in
      var offer = CompletionOffer(folder + name, label: name)
      offer.isOpen = name.hasSuffix("/")
      return offer
    }
  }

  /// Those of these words that begin as it was typed.
  public static func words(
    _ words: [String], beginningWith typed: String
  ) -> [CompletionOffer] {
    words.filter { begins($0, with: typed) }.map { CompletionOffer($0) }
  }

  /// Whether a text begins with another, whatever the case of the letters.
  public static func begins(_ text: String, with start: String) -> Bool {
    text.lowercased().hasPrefix(start.lowercased())
  }

  /// Whether a text can stand in a line that is edited, and come out of it as it went in.
  public static func isTypeable(_ text: String) -> Bool {
    !text.isBlank && !text.unicodeScalars.contains(where: DisplayText.mustBeWrittenOut)
  }
}

/// Something that could stand at the cursor: what it says, before it is quoted for the line.
public struct CompletionOffer: Sendable {
  /// What it says.
  public var text: String
  /// What is listed where there are several.
  public var label: String
  /// Whether it would be taken for something else, were it not in quotes.
  public var needsQuotes: Bool
  /// Whether it must not be quoted: a number of a row, an option.
  public var isVerbatim = false
  /// Whether it stands for what would match: a number, where letters of a title were typed.
  public var isStandIn = false
  /// Whether more of the same word may follow, as after a directory.
  public var isOpen = false

  /// An offer of that text; listed as what it says, unless told otherwise.
  public init(_ text: String, label: String? = nil) {
    self.text = text
    self.label = label ?? CommandError.shown(text)
    needsQuotes = ShellWords.needsQuotes(text)
  }
}
