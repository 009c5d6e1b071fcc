#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The terminal's settings: the original ones, and those that the line editor needs.
struct TerminalMode {
  private var found = termios()
  private var editing: termios

  init?() {
    guard tcgetattr(STDIN_FILENO, &found) == 0 else { return nil }
    editing = found
    editing.c_lflag &= ~tcflag_t(ICANON | ECHO | IEXTEN)
    editing.c_lflag |= tcflag_t(ISIG)
    editing.c_iflag &= ~tcflag_t(ICRNL | INLCR)
    withUnsafeMutableBytes(of: &editing.c_cc) { characters in
      // A read that finds nothing returns: Ctrl-C may have discarded what `poll` reported.
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
  }

  /// Whether this process may change the terminal: a background job that tries is stopped.
  static var isForeground: Bool { tcgetpgrp(STDIN_FILENO) == getpgrp() }

  func startEditing() {
    var settings = editing
    // At once and without loss: what was typed ahead stays.
    if Self.isForeground { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
  }

  func restore() {
    var settings = found
    if Self.isForeground { tcsetattr(STDIN_FILENO, TCSANOW, &settings) }
  }
}
