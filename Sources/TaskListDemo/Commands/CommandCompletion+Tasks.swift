extension CommandCompletion {
  /// Rows by what has been typed of their titles, of their numbers, or of their ids.
  func tasks(done: Bool?, at place: CompletionPlace) -> [CompletionOffer] {
    let wanted = rows.filter { row in done.map { row.isDone == $0 } ?? true }
    let titles = Dictionary(rows.map { ($0.title, 1) }, uniquingKeysWith: +)
    return wanted.compactMap { row in
      if TaskName.isNumber(place.typed), "\(row.number)".hasPrefix(place.typed) {
        return Self.number(of: row)
      }
      let id = TaskName.text(of: row.id)
      if place.typed.hasPrefix("@"), id.hasPrefix(place.typed) { return Self.id(id, of: row) }
      guard Self.begins(row.title, with: place.typed) else { return nil }
      let isOnly = titles[row.title] == 1
      if isOnly, Self.isTypeable(row.title) { return Self.title(of: row) }
      var number = Self.number(of: row)
      number.isStandIn = true
      return number
    }
  }

  /// The title as it is, for a person who wants to change it.
  func title(of word: ShellWord?, at place: CompletionPlace) -> [CompletionOffer] {
    guard let word, let row = row(named: word), Self.isTypeable(row.title),
      Self.begins(row.title, with: place.typed)
    else { return [] }
    var offer = CompletionOffer(row.title)
    // It is the rest of the line, and needs no quotes unless it would change without them.
    offer.isVerbatim = Self.readsAsItself(row.title)
    return [offer]
  }

  private func row(named word: ShellWord) -> Row? {
    switch try? TaskReference(word) {
    case .row(let number): return rows.first { $0.number == number }
    case .id(let id): return rows.first { $0.id == id }
    case .title(let start):
      let begun = rows.filter { Self.begins($0.title, with: start) }
      return begun.first { $0.title == start } ?? (begun.count == 1 ? begun.first : nil)
    case nil: return nil
    }
  }

  private static func number(of row: Row) -> CompletionOffer {
    var offer = CompletionOffer("\(row.number)", label: label(row))
    offer.isVerbatim = true
    return offer
  }

  private static func id(_ id: String, of row: Row) -> CompletionOffer {
    var offer = CompletionOffer(id, label: "\(id) \(CommandError.shown(row.title))")
    offer.isVerbatim = true
    return offer
  }

  private static func title(of row: Row) -> CompletionOffer {
    var offer = CompletionOffer(row.title, label: label(row))
    // `2` without quotes would be a row.
    let name = try? ShellWords.split(row.title).first.map { try TaskName($0) }
    offer.needsQuotes = offer.needsQuotes || name != .title(row.title)
    return offer
  }

  private static func label(_ row: Row) -> String {
    "\(row.number). \(CommandError.shown(row.title))"
  }

  private static func readsAsItself(_ text: String) -> Bool {
    guard let words = try? ShellWords.split(text) else { return false }
    return words.allSatisfy { !$0.isQuoted && !$0.looksLikeOption }
      && words.map(\.text).joined(separator: " ").utf8.elementsEqual(text.utf8)
  }
}
