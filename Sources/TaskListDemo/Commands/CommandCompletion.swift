import Readline

/// What Tab offers: made from the commands of the screen, and from what is known about the tasks.
///
/// Whatever it completes reads as what was offered: titles are quoted where they must be, and the
/// number of the row stands for a title that would not do.
struct CommandCompletion: Sendable {
  /// A row of the list.
  struct Row: Equatable, Sendable {
    /// From 1.
    var number: Int
    var title: String
    var isDone = false
    var id: TaskItem.ID = 0
  }

  /// Names what is in a directory, directories with a `/` at their end; "" is the current one.
  typealias FileLister = @Sendable (_ directory: String) -> [String]

  /// The commands of the screen.
  var commands: [CommandInfo] = ListCommand.table.infos
  var sections: [String] = []
  /// The rows of the list that is on the screen.
  var rows: [Row] = []
  var files: FileLister = { _ in [] }

  /// What the end of a line, up to the cursor, could become.
  func completion(of line: String) -> LineCompletion {
    var place = CompletionPlace(in: line, of: commands)
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
    case .command: words(commands.flatMap(\.names), at: place)
    case .option(let options):
      // They are offered as what they are: in quotes they would be texts.
      words(options, at: place).map { offer in
        var offer = offer
        offer.isVerbatim = true
        return offer
      }
    case .argument(let parameter, let previous):
      switch parameter.completing {
      case .nothing: []
      case .words(let words): self.words(words, at: place)
      case .commands: words(commands.flatMap(\.names), at: place)
      case .sections: words(sections.filter(Self.isTypeable), at: place)
      case .tasks(let isDone): tasks(done: isDone, at: place)
      case .titleOfTask: title(of: previous, at: place)
      case .files: files(at: place)
      }
    }
  }

  private func words(_ words: [String], at place: CompletionPlace) -> [CompletionOffer] {
    words.filter { Self.begins($0, with: place.typed) }.map { CompletionOffer($0) }
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

  /// Whether a text begins with another, whatever the case of the letters.
  static func begins(_ text: String, with start: String) -> Bool {
    text.lowercased().hasPrefix(start.lowercased())
  }

  /// Whether a text can stand in a line that is edited, and come out of it as it went in.
  static func isTypeable(_ text: String) -> Bool {
    !text.isBlank && !text.unicodeScalars.contains(where: DisplayText.mustBeWrittenOut)
  }
}
