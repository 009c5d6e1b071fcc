/// Completes lines for Tab: from the commands of the screen, and from values of the program.
///
/// A completed word has the meaning that was offered: it is quoted if necessary.
public struct CommandCompletion: Sendable {
  /// Lists a directory, with a `/` at the end of each directory's name; "" is the current one.
  public typealias FileLister = @Sendable (_ directory: String) -> [String]

  /// Returns the program's offers for a source that begin with the typed text; `previous` is the
  /// word before, of the same command.
  public typealias Known =
    @Sendable (_ source: CompletionSource, _ typed: String, _ previous: ShellWord?)
    -> [CompletionOffer]

  /// The commands of the screen.
  public var commands: [CommandInfo]
  /// Lists a directory.
  public var files: FileLister
  /// Returns the program's own offers.
  public var known: Known
  /// Whether a word may be the beginning of a text of several words, if it were quoted: if nothing
  /// is offered for `mi`, `buy mi` is tried.
  public var isPartOfText: @Sendable (ShellWord) -> Bool

  /// Creates a completion for these commands; the closures add files, and values that only the
  /// program has.
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

  /// Returns what the end of a line, up to the cursor, could become.
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
      // Options are offered verbatim: in quotes they would be texts.
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

  /// Returns the words that begin with the typed text.
  public static func words(
    _ words: [String], beginningWith typed: String
  ) -> [CompletionOffer] {
    words.filter { begins($0, with: typed) }.map { CompletionOffer($0) }
  }

  /// Whether a text begins with another, ignoring case.
  public static func begins(_ text: String, with start: String) -> Bool {
    text.lowercased().hasPrefix(start.lowercased())
  }

  /// Whether a text can be part of an edited line without being changed.
  public static func isTypeable(_ text: String) -> Bool {
    !text.isBlank && !text.unicodeScalars.contains(where: DisplayText.mustBeWrittenOut)
  }
}

/// An offer for the text at the cursor, before it is quoted for the line.
public struct CompletionOffer: Sendable {
  /// The text of the offer.
  public var text: String
  /// The text in the list, if there are several offers.
  public var label: String
  /// Whether it would have another meaning without quotes.
  public var needsQuotes: Bool
  /// Whether it must not be quoted: the number of a row, or an option.
  public var isVerbatim = false
  /// Whether it replaces what would match: a number, where a part of a title was typed.
  public var isStandIn = false
  /// Whether more of the same word may follow, as after a directory.
  public var isOpen = false

  /// Creates an offer of a text; its label is the text by default.
  public init(_ text: String, label: String? = nil) {
    self.text = text
    self.label = label ?? CommandError.shown(text)
    needsQuotes = ShellWords.needsQuotes(text)
  }
}
