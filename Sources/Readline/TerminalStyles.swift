public import CommandShell
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// How text looks that is written to a descriptor without a console: by a program that only
/// answers.
public struct TerminalStyles: Sendable {
  /// How many letters fit in a row; nil where it is no terminal, or none that says so.
  public let columns: Int?
  private let encoder: StyleEncoder

  /// Those of the terminal on a descriptor; of anything else, none.
  public init(of descriptor: Int32) {
    let isTerminal = isatty(descriptor) == 1
    encoder = StyleEncoder(showsStyles: TerminalTraits.found(isInteractive: isTerminal).showsStyles)
    var size = winsize()
    let isKnown = isTerminal && ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0
    columns = isKnown && size.ws_col > 0 ? Int(size.ws_col) : nil
  }

  /// A row with its styles, as far as they are seen there.
  public func text(of row: StyledText) -> String {
    String(decoding: encoder.bytes(of: row), as: UTF8.self)
  }
}
