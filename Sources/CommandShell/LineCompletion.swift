/// What Tab may make of a line: the text from a place to the cursor becomes one of the candidates.
///
/// The program says where that text begins, because only the program knows what a word is to it: a
/// quoted one may have blanks in it.
public struct LineCompletion: Equatable, Sendable {
  /// One thing that the text could become.
  public struct Candidate: Equatable, Sendable {
    /// What stands in the line instead; with a blank at its end if the word is complete.
    public var text: String
    /// What is listed where there are several.
    public var label: String

    /// A candidate; its label is its text unless told otherwise.
    public init(_ text: String, label: String? = nil) {
      self.text = text
      self.label = label ?? text
    }
  }

  /// Where in the line the replaced text begins; it ends at the cursor.
  public var start: String.Index
  /// What it could become, in the order in which it is listed.
  public var candidates: [Candidate]
  /// Whether the text becomes what several candidates begin with, until more is typed.
  ///
  /// It must not where they stand for something else than they say: the `1` that the numbers 12
  /// and 13 share is another number.
  public var isSharedInserted = true

  /// A completion of the text from `start` to the cursor.
  public init(from start: String.Index, _ candidates: [Candidate]) {
    self.start = start
    self.candidates = candidates
  }

  /// The words that begin, byte for byte, with what stands after the last blank of the line.
  public init(
    ofLastWordIn line: String, from words: (_ line: String, _ word: String) -> [String]
  ) {
    let scalars = line.unicodeScalars
    let blank = scalars.lastIndex { $0 == " " || $0 == "\t" }
    let start = blank.map { scalars.index(after: $0) } ?? line.startIndex
    let word = String(line[start...])
    self.init(
      from: start,
      words(line, word).filter { $0.utf8.starts(with: word.utf8) }
        .map { Candidate("\($0) ", label: $0) })
  }
}
