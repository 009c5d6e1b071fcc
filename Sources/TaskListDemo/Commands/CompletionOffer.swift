import Readline

/// Something that could stand at the cursor: what it says, before it is quoted for the line.
struct CompletionOffer {
  var text: String
  var label: String
  /// Whether it would be taken for something else, were it not in quotes.
  var needsQuotes: Bool
  /// Whether it must not be quoted: a number of a row, an option.
  var isVerbatim = false
  /// Whether it stands for what would match: a number, where letters of a title were typed.
  var isStandIn = false
  /// Whether more of the same word may follow, as after a directory.
  var isOpen = false

  init(_ text: String, label: String? = nil) {
    self.text = text
    self.label = label ?? CommandError.shown(text)
    needsQuotes = ShellWords.needsQuotes(text)
  }
}

extension CompletionPlace {
  /// The offers as they would stand in the line, quoted the way the person has begun to.
  ///
  /// If one of several has to be quoted, all are: they have a beginning in common then.
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
    // The digits that two such numbers share are a third number; and a quote without a letter after
    // it would make a title of the number that is typed next.
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
