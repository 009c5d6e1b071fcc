/// A bar that fills up from left to right.
struct ProgressBar: Equatable, Sendable {
  /// How much is done: from 0 to 1; what is beyond is taken for the end it is beyond.
  var fraction: Double
  /// How many places the bar has between its brackets.
  var places = 10

  private var share: Double { fraction.isNaN ? 0 : min(max(fraction, 0), 1) }

  /// So many whole parts; 0.29 of 100 is 29, though it is computed as a little less.
  private func parts(of whole: Int) -> Int { Int(share * Double(whole) + 1e-9) }

  /// The bar alone: full only when everything is done, empty only when nothing is.
  var bar: String {
    var filled = parts(of: places)
    if filled == 0, share > 0 { filled = min(1, places) }
    return "[" + String(repeating: "#", count: filled)
      + DisplayText.blanks(places - filled) + "]"
  }

  /// The bar and the number: `[######    ] 60 %`.
  var text: String { "\(bar) \(parts(of: 100)) %" }
}
