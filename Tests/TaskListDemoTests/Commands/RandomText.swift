/// Texts full of what a splitter could stumble over; the same for the same seed.
struct RandomText {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private static let awkward: [Unicode.Scalar] = [
    " ", "\t", "\n", "\r", "'", "\"", "\\", "#", "$", "`", "-", "=", "*", "a", "b", "2", "é", "語",
    "\u{301}", "\u{200D}", "\u{1F469}", "\u{A0}", "\u{3000}", "\u{2028}", "\u{85}", "\u{FEFF}",
    "\u{1B}", "\u{7F}", "\u{10FFFF}",
  ]

  mutating func text(upTo length: Int = 12) -> String {
    var scalars = String.UnicodeScalarView()
    for _ in 0..<below(length + 1) { scalars.append(scalar()) }
    return String(scalars)
  }

  private mutating func scalar() -> Unicode.Scalar {
    let any = below(8) == 0 ? Unicode.Scalar(UInt32(1 + below(0xFFFE))) : nil
    return any ?? Self.awkward[below(Self.awkward.count)]
  }

  private mutating func below(_ bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }
}
