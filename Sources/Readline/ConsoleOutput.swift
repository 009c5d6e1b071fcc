import CommandShell

/// Output for the screen or a pipe, always whole lines.
struct ConsoleOutput: Equatable, Sendable {
  enum Destination: Int32, Sendable {
    case output = 1
    case error = 2
  }

  var destination: Destination
  var bytes: [UInt8]

  /// Creates a line; the line feed is added here.
  init(_ text: String, to destination: Destination) {
    self.destination = destination
    bytes = Array(text.utf8) + [UInt8(ascii: "\n")]
  }

  /// Creates a line with styles, as far as the encoder shows them.
  init(_ text: StyledText, to destination: Destination, by encoder: StyleEncoder) {
    self.destination = destination
    bytes = encoder.bytes(of: text) + [UInt8(ascii: "\n")]
  }
}

/// The text that a prompt may consist of.
enum PromptText {
  /// Removes control characters: they would move the cursor to a position that the editor does not
  /// know.
  static func cleaned(_ prompt: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(
      contentsOf: prompt.unicodeScalars.filter { $0.properties.generalCategory != .control })
    return String(scalars)
  }
}
