import Reactor
import ReactorRuntime

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A coordinator with its reader's thread, from opening until `close()` or the end of the program.
final class OpenConsole: Sendable {
  let coordinator: ConsoleCoordinator
  /// Reads lines; `nil` if a program drives the console.
  private let thread: ReaderThread?

  /// The process has one standard input: this is the console that uses it, which is closed at exit.
  private static let current = Guarded<OpenConsole?>(nil)
  private static let closesAtExit: Void = {
    atexit { OpenConsole.current.withLock { $0 }?.close() }
  }()

  static var isOnTerminal: Bool { isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1 }

  init(
    prompt: String, historyName: String?, completions: LineEditor.Completions?,
    keys: LineEditor.Keys, isInteractive: Bool
  ) {
    guard let coordinator = ConsoleCoordinator(prompt: prompt, isInteractive: isInteractive) else {
      preconditionFailure("No pipe for the console: the system's limit of open files is reached.")
    }
    self.coordinator = coordinator
    thread = ReaderThread {
      let history = isInteractive ? LineHistory(name: historyName) : LineHistory(name: nil)
      if isInteractive,
        var reader = TerminalReader(
          coordinator: coordinator, history: history, completions: completions, keys: keys)
      {
        reader.run()
      } else {
        var reader = PlainReader(coordinator: coordinator)
        reader.run()
      }
    }
    register()
  }

  /// Opens a console that a program drives: it uses no terminal, so others may be open.
  init(drivenBy coordinator: ConsoleCoordinator) {
    self.coordinator = coordinator
    thread = nil
  }

  /// Returns when the terminal has been restored.
  func close() {
    coordinator.requestClose()
    guard let thread else { return coordinator.endLines() }
    thread.join()
    Self.current.withLock { if $0 === self { $0 = nil } }
  }

  private func register() {
    Self.closesAtExit
    Self.current.withLock { current in
      precondition(current == nil, "A console is open already: close() it before the next.")
      current = self
    }
  }
}
