import RepositoryCore

/// HTML whose interpolated values are escaped, unless they are HTML.
struct HTML: Hashable, Sendable, ExpressibleByStringInterpolation {
  var text: String

  init(stringLiteral text: String) { self.text = text }
  init(stringInterpolation: Interpolation) { text = stringInterpolation.text }
  /// Creates HTML from text that is known to be safe, such as the output of a safe renderer.
  init(safe text: String) { self.text = text }

  static let none: HTML = ""

  struct Interpolation: StringInterpolationProtocol {
    var text = ""

    init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + interpolationCount * 16)
    }

    mutating func appendLiteral(_ literal: String) { text += literal }
    mutating func appendInterpolation(_ html: HTML) { text += html.text }
    mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
    mutating func appendInterpolation(_ number: Int) { text += "\(number)" }
    mutating func appendInterpolation(_ id: RepositoryID) { text += id.description.escaped }
    mutating func appendInterpolation(_ string: String) { text += string.escaped }
  }
}

extension String {
  /// The text escaped for use between tags, or in an attribute in double quotes.
  var escaped: String {
    guard utf8.contains(where: { "<>&\"'\u{0}".utf8.contains($0) }) else { return self }
    var text = ""
    text.reserveCapacity(utf8.count + 16)
    for scalar in unicodeScalars {
      switch scalar {
      case "<": text += "&lt;"
      case ">": text += "&gt;"
      case "&": text += "&amp;"
      case "\"": text += "&quot;"
      case "'": text += "&#39;"
      case "\u{0}": text += "\u{FFFD}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }
}
