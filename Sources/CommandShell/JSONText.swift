/// Converts text for JSON.
public enum JSONText {
  /// Returns JSON that a terminal may show: characters that would move the cursor or reverse the
  /// writing direction are escaped, as `\u202e`, with the same meaning.
  ///
  /// Tabs, carriage returns and line feeds become blanks: in JSON they are between values only.
  public static func harmless(_ json: String) -> String {
    guard json.unicodeScalars.contains(where: DisplayText.mustBeWrittenOut) else { return json }
    var harmless = ""
    for scalar in json.unicodeScalars {
      switch scalar {
      case "\t", "\r", "\n": harmless += " "
      case _ where DisplayText.mustBeWrittenOut(scalar): harmless += escape(scalar)
      default: harmless.unicodeScalars.append(scalar)
      }
    }
    return harmless
  }

  /// Returns a text as a JSON string, with its quotes.
  public static func quoted(_ text: String) -> String {
    var json = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": json += "\\\""
      case "\\": json += "\\\\"
      case "\n": json += "\\n"
      case "\t": json += "\\t"
      case _ where DisplayText.mustBeWrittenOut(scalar): json += escape(scalar)
      default: json.unicodeScalars.append(scalar)
      }
    }
    return json + "\""
  }

  /// All characters that must be escaped are in the first plane.
  private static func escape(_ scalar: Unicode.Scalar) -> String {
    let digits = String(scalar.value, radix: 16)
    return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
  }
}
