/// Splits a program's output into characters, control characters and escape sequences.
struct EscapeParser: Sendable, Equatable {
  enum Event: Equatable {
    case none
    case character(Unicode.Scalar)
    case control(UInt8)
    case sequence(EscapeSequence)
  }

  private enum Mode: Equatable {
    case text
    case escape
    case sequence
    /// After `ESC (` and the like: one more byte belongs to it.
    case oneMore
  }

  private var mode = Mode.text
  private var parameters = ""
  private var partial: [UInt8] = []

  mutating func take(_ byte: UInt8) -> Event {
    switch mode {
    case .text: takeText(byte)
    case .escape: takeEscape(byte)
    case .sequence: takeSequence(byte)
    case .oneMore: ended(.none)
    }
  }

  private mutating func takeText(_ byte: UInt8) -> Event {
    guard byte != 0x1b else {
      mode = .escape
      return .none
    }
    guard byte >= 0x20, byte != 0x7f else { return .control(byte) }
    return takeCharacter(byte)
  }

  /// Collects the bytes of a character; bytes that are no character are replaced.
  private mutating func takeCharacter(_ byte: UInt8) -> Event {
    if byte & 0xC0 != 0x80 { partial = [] }
    partial.append(byte)
    let text = String(validating: partial, as: UTF8.self)
    if let scalar = text?.unicodeScalars.first {
      partial = []
      return .character(scalar)
    }
    return partial == [byte] && byte & 0xC0 != 0xC0 || byte > 0xF4
      ? .character("\u{FFFD}") : .none
  }

  private mutating func takeEscape(_ byte: UInt8) -> Event {
    switch byte {
    case UInt8(ascii: "["):
      mode = .sequence
      parameters = ""
      return .none
    case UInt8(ascii: "("), UInt8(ascii: ")"):
      mode = .oneMore
      return .none
    default: return ended(.sequence(EscapeSequence(parameters: "ESC", final: byte)))
    }
  }

  private mutating func takeSequence(_ byte: UInt8) -> Event {
    guard (0x40...0x7e).contains(byte) else {
      parameters.unicodeScalars.append(Unicode.Scalar(byte))
      return .none
    }
    return ended(.sequence(EscapeSequence(parameters: parameters, final: byte)))
  }

  private mutating func ended(_ event: Event) -> Event {
    mode = .text
    return event
  }
}

/// One control sequence: `ESC [ parameters final`.
struct EscapeSequence: Equatable, CustomStringConvertible {
  var parameters: String
  var final: UInt8

  var description: String { "\(parameters)\(Unicode.Scalar(final))" }

  /// Returns the parameter at a position; the default if it is missing or zero.
  func number(_ index: Int = 0, default value: Int = 1) -> Int {
    let parts = parameters.split(separator: ";", omittingEmptySubsequences: false)
    guard index < parts.count, let number = Int(parts[index]), number > 0 else { return value }
    return number
  }
}
