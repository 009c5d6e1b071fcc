/// Recognises words that look like numbers of tasks but have another format.
enum NumberName {
  /// Returns how to type what was meant; nil for a word without numbers.
  static func correction(of word: String) -> String? {
    if let row = row(grouped: word) { return "that row is typed '\(row)'" }
    if word.wholeMatch(of: /@[0-9]+-@?[0-9]+/) != nil {
      return "ids have no ranges: type each of them, or rows, as '1-2'"
    }
    guard word.wholeMatch(of: /[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)+/) != nil else { return nil }
    let numbers = word.split { !$0.isNumber }
    return "several rows are typed '\(word.replacing(",", with: " "))', "
      + "or '\(numbers.first ?? "")-\(numbers.last ?? "")'"
  }

  /// The number of a row that is written with a thousands separator, `1,987`.
  static func row(grouped word: String) -> String? {
    word.wholeMatch(of: /[0-9]{1,3}(,[0-9]{3})+/) == nil ? nil : word.replacing(",", with: "")
  }
}
