/// The completions of a line: the text from a position to the cursor becomes one of the candidates.
///
/// The program decides where that text begins, because only the program knows what a word is: a
/// quoted one may have blanks.
public struct LineCompletion: Equatable, Sendable {
  /// One text that the replaced text could become.
  public struct Candidate: Equatable, Sendable {
    /// The new text; with a blank at its end if the word is complete.
    public var text: String
    /// The text in the list, if there are several candidates.
    public var label: String

    /// Creates a candidate; its label is its text by default.
    public init(_ text: String, label: String? = nil) {
      self.text = text
      self.label = label ?? text
    }
  }

  /// The position in the line at which the replaced text begins; it ends at the cursor.
  public var start: String.Index
  /// The candidates, in the order in which they are listed.
  public var candidates: [Candidate]
  /// Whether the common beginning of several candidates is inserted.
  ///
  /// It must not be inserted if it would have another meaning: the `1` that the numbers 12 and 13
  /// share is another number.
  public var isSharedInserted = true

  /// Creates a completion of the text from `start` to the cursor.
  public init(from start: String.Index, _ candidates: [Candidate]) {
    self.start = start
    self.candidates = candidates
  }

  /// Creates a completion of the last word: the words that begin, byte for byte, with the text
  /// after the last blank of the line.
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
