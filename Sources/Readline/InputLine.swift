/// One line of input, or why it could not be read as text.
///
/// A line that is not valid text is still one line: it is reported once and never split.
public enum InputLine: Equatable, Sendable {
  /// The line, without its end-of-line characters.
  case text(String)
  /// A line whose bytes are not valid UTF-8.
  case notUTF8
  /// A line longer than ``byteLimit``; its content has been skipped to its end.
  case tooLong

  /// The longest line, in bytes, that is delivered as text.
  public static let byteLimit = 65_536

  /// Validates the bytes of one whole line.
  init(bytes: some Collection<UInt8>) {
    if bytes.count > Self.byteLimit {
      self = .tooLong
    } else if let text = String(validating: bytes, as: UTF8.self) {
      self = .text(text)
    } else {
      self = .notUTF8
    }
  }
}
