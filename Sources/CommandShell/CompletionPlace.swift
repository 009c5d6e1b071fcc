/// The position of the cursor in a line being typed: what is being typed there, and for what.
struct CompletionPlace {
  /// What can be completed there.
  enum Wanted: Equatable {
    case command
    /// One of a command's options that has not been typed yet.
    case option([String])
    /// A value for a parameter, with the word before it.
    case argument(ParameterInfo, after: ShellWord?)
    case nothing
  }

  var wanted = Wanted.nothing
  /// The text typed so far, without the quotes.
  var typed = ""
  /// The position in the line at which it begins.
  var start: String.Index
  /// The part of the same word that stays before it: `--section=`.
  var lead = ""
  /// The words before it that could belong to it, if it were quoted.
  private var wider: ArraySlice<ShellWord> = []

  private let isPartOfText: (ShellWord) -> Bool

  init(
    in line: String, of commands: [CommandInfo], isPartOfText: @escaping (ShellWord) -> Bool
  ) {
    self.isPartOfText = isPartOfText
    let typing = ShellWords(of: line)
    let word = typing.endsInWord ? typing.words.last : nil
    let before = typing.words.dropLast(word == nil ? 0 : 1)
    start = word?.range.lowerBound ?? line.endIndex
    typed = word?.text ?? ""
    guard let name = before.first?.text.lowercased() else {
      wanted = .command
      return
    }
    guard let command = commands.first(where: { $0.names.contains(name) }) else { return }
    let arguments = TypedArguments(before.dropFirst(), of: command)
    if let option = arguments.pending {
      wanted = .argument(option, after: nil)
    } else if let word, !arguments.areOptionsOver, word.text == "-" || word.looksLikeOption {
      findOption(word, arguments)
    } else {
      findArgument(arguments)
    }
  }

  /// The same place extended by one word: `done buy mi` may mean one title, not two.
  var widened: Self? {
    guard let word = wider.last else { return nil }
    var place = self
    place.wider.removeLast()
    place.typed = "\(word.text) \(typed)"
    place.start = word.range.lowerBound
    return place
  }

  private mutating func findOption(_ word: ShellWord, _ arguments: TypedArguments) {
    let parts = word.text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count > 1 else { return wanted = .option(arguments.unused) }
    guard let parameter = arguments.command.parameter(ofOption: String(parts[0].dropFirst(2)))
    else { return }
    wanted = .argument(parameter, after: nil)
    typed = String(parts[1])
    lead = "\(parts[0])="
  }

  private mutating func findArgument(_ arguments: TypedArguments) {
    let (places, words) = (arguments.command.places, arguments.words)
    guard let last = places.last else { return }
    if last.extent == .words, !typed.isEmpty {
      let end = words.lastIndex { !isPartOfText($0) }
      wider = words[(end.map { $0 + 1 } ?? 0)...]
    }
    if words.count < places.count {
      wanted = .argument(places[words.count], after: words.last)
    } else if last.extent == .words {
      wanted = .argument(last, after: words.last)
    } else if last.extent == .text, arguments.command.options.isEmpty {
      // All its words are one text, and are replaced as a whole.
      let own = words[(places.count - 1)...]
      wanted = .argument(last, after: words.dropLast(own.count).last)
      typed = (own.map(\.text) + [typed]).joined(separator: " ")
      start = own.first?.range.lowerBound ?? start
    }
    offerOptions(arguments)
  }

  /// If nothing else can be offered, the options are.
  private mutating func offerOptions(_ arguments: TypedArguments) {
    if case .argument(let info, _) = wanted, info.completing != .nothing { return }
    guard typed.isEmpty, !arguments.areOptionsOver else { return }
    wanted = .option(arguments.unused)
  }
}

extension CompletionPlace {
  /// Converts offers to text for the line, in the style of quotes that has been typed.
  ///
  /// If one of several offers has to be quoted, all are: then they have a common beginning.
  func completion(of line: String, from offers: [CompletionOffer]) -> LineCompletion {
    let style: ShellWords.QuoteStyle =
      switch line[start...].unicodeScalars.first {
      case "'": .single
      case "\"": .double
      default: offers.contains { $0.needsQuotes && !$0.isVerbatim } ? .double : .bare
      }
    var completion = LineCompletion(
      from: start,
      offers.map { offer in
        let text =
          offer.isVerbatim
          ? offer.text : ShellWords.quoted(offer.text, style, isOpen: offer.isOpen)
        return LineCompletion.Candidate(lead + text + (offer.isOpen ? "" : " "), label: offer.label)
      })
    // The digits that two such numbers share are a third number; and a quote without text after
    // it would turn the number that is typed next into a title.
    completion.isSharedInserted =
      !offers.contains { $0.isStandIn } && (!typed.isEmpty || offers.haveLettersInCommon)
    return completion
  }
}

extension [CompletionOffer] {
  fileprivate var haveLettersInCommon: Bool {
    let starts = map { $0.text.first }
    return starts.allSatisfy { $0 == starts.first }
  }
}

/// The complete words after a command's name, in a line being typed.
private struct TypedArguments {
  let command: CommandInfo
  /// The positional words.
  private(set) var words: [ShellWord] = []
  /// The option whose value comes next.
  private(set) var pending: ParameterInfo?
  private(set) var areOptionsOver = false
  private var used: Set<String> = []

  var unused: [String] { command.options.filter { !used.contains($0) } }

  init(_ typed: ArraySlice<ShellWord>, of command: CommandInfo) {
    self.command = command
    for word in typed {
      if pending != nil {
        pending = nil
      } else if areOptionsOver || !word.looksLikeOption {
        words.append(word)
      } else if word.text == "--" {
        areOptionsOver = true
      } else {
        let name = word.text.prefix { $0 != "=" }
        used.insert(String(name))
        if name.count == word.text.count {
          pending = command.parameter(ofOption: String(name.dropFirst(2)))
        }
      }
    }
  }
}
