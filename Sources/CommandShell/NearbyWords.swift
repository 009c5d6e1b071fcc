/// Finds words that may have been meant.
enum NearbyWords {
  /// Returns the words within one or two typing errors, nearest first; otherwise the words that
  /// begin with the typed text.
  ///
  /// At most three: `help` lists all.
  static func suggestions(for typed: String, among words: [String]) -> [String] {
    let typed = typed.lowercased()
    // No word is that long, and the comparison takes time proportional to the product of the
    // lengths.
    guard typed.count <= 20 else { return [] }
    let slips = words.map { (word: $0, slips: distance(typed, $0.lowercased())) }
    let nearest = slips.map(\.slips).min() ?? .max
    // In a short word, one character is much: any other word of its length would be within two.
    let limit = typed.count <= 2 ? 1 : 2
    let begun = words.filter { !typed.isEmpty && $0.lowercased().hasPrefix(typed) }
    let near = nearest <= limit ? slips.filter { $0.slips == nearest }.map(\.word) : []
    return Array((nearest <= 1 || begun.isEmpty ? near : begun).prefix(3))
  }

  /// How many characters to add, remove, replace or swap with their neighbour (optimal string
  /// alignment).
  static func distance(_ first: String, _ second: String) -> Int {
    let (first, second) = (Array(first), Array(second))
    var (beforeLast, last) = ([Int](), Array(0...second.count))
    for i in first.indices {
      var row = [i + 1]
      for j in second.indices {
        var best = min(last[j + 1], row[j]) + 1
        best = min(best, last[j] + (first[i] == second[j] ? 0 : 1))
        if i > 0, j > 0, first[i] == second[j - 1], first[i - 1] == second[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      (beforeLast, last) = (last, row)
    }
    return last[second.count]
  }
}
