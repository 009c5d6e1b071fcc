public import CommandShell
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The styles of text that is written to a descriptor without a console, by a program that only
/// answers.
public struct TerminalStyles: Sendable {
  /// The number of columns in a row; nil if the descriptor is no terminal, or one of unknown size.
  public let columns: Int?
  private let encoder: StyleEncoder

  /// Creates the styles of the terminal on a descriptor; there are none for anything else.
  public init(of descriptor: Int32) {
    let isTerminal = isatty(descriptor) == 1
    encoder = StyleEncoder(showsStyles: TerminalTraits.found(isInteractive: isTerminal).showsStyles)
    var size = winsize()
    let isKnown = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    columns = isKnown && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// Returns a row with its styles, as far as the terminal shows them.
  public func text(of row: StyledText) -> String {
    String(decoding: encoder.bytes(of: row), as: UTF8.self)
  }
}
