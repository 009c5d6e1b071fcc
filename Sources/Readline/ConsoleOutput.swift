import CommandShell

/// Text on its way to the screen or into a pipe, always whole lines.
struct ConsoleOutput: Equatable, Sendable {
  enum Destination: Int32, Sendable {
    case output = 1
    case error = 2
  }

  var destination: Destination
  var bytes: [UInt8]

  /// A line; the line feed is added here.
  init(_ text: String, to destination: Destination) {
    self.destination = destination
    bytes = Array(text.utf8) + [UInt8(ascii: "\n")]
  }

  /// A line with styles, as far as the encoder shows them.
  init(_ text: StyledText, to destination: Destination, by encoder: StyleEncoder) {
    self.destination = destination
    bytes = encoder.bytes(of: text) + [UInt8(ascii: "\n")]
  }
}

/// What a prompt may consist of.
enum PromptText {
  /// The prompt without control characters: they would put the cursor where nobody expects it.
  static func cleaned(_ prompt: String) -> String {
    var scalars = String.UnicodeScalarView()
    scalars.append(
      contentsOf: prompt.unicodeScalars.filter { $0.properties.generalCategory != .control })
    return String(scalars)
  }
}
