#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A pseudo-terminal: the program's side, and the side of the test.
struct PseudoTerminal: Sendable {
  /// The side of the test: keys are written to it, and the program's output is read from it.
  let person: Int32
  /// The program's side, kept open so that its settings can be read after the program.
  let terminal: Int32
  /// The path that the program opens.
  let path: String

  init(columns: Int, rows: Int) throws {
    person = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard person >= 0, let path = Self.unlockedPath(person) else {
      throw TerminalFailure("the system has no pseudo-terminal left")
    }
    self.path = path
    terminal = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard terminal >= 0 else { throw TerminalFailure("cannot open \(path)") }
    resize(columns: columns, rows: rows)
  }

  #if os(Linux)
    // Swift does not import `posix_openpt` from glibc; this calls the kernel as it does.
    private static func unlockedPath(_ person: Int32) -> String? {
      let (unlock, getNumber): (UInt, UInt) = (0x4004_5431, 0x8004_5430)
      var locked: Int32 = 0
      var number: Int32 = 0
      guard ioctl(person, unlock, &locked) == 0, ioctl(person, getNumber, &number) == 0 else {
        return nil
      }
      return "/dev/pts/\(number)"
    }
  #else
    private static func unlockedPath(_ person: Int32) -> String? {
      guard grantpt(person) == 0, unlockpt(person) == 0 else { return nil }
      return ptsname(person).map { String(cString: $0) }
    }
  #endif

  func resize(columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(person, UInt(TIOCSWINSZ), &size)
  }

  var settings: TerminalSettings {
    var settings = termios()
    tcgetattr(terminal, &settings)
    return TerminalSettings(settings)
  }
}

/// The settings of a terminal, such as those before and after a program.
public struct TerminalSettings: Equatable, Sendable {
  /// Whether the terminal itself echoes keys.
  public let echoes: Bool
  /// Whether the terminal delivers whole lines.
  public let isCanonical: Bool
  private let flags: [UInt64]
  private let characters: [UInt8]

  init(_ settings: termios) {
    echoes = settings.c_lflag & tcflag_t(ECHO) != 0
    isCanonical = settings.c_lflag & tcflag_t(ICANON) != 0
    flags = [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag].map(
      UInt64.init)
    characters = withUnsafeBytes(of: settings.c_cc) { Array($0) }
  }
}
