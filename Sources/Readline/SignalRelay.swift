import CReadline
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Synchronization

/// Passes signals on to the reader's thread, which may do what a signal handler may not.
struct SignalRelay {
  /// Where the handler writes; -1 while no terminal is being read.
  private static let target = Atomic<Int32>(-1)

  private static let terminalSignals = [SIGINT, SIGTSTP, SIGCONT, SIGWINCH]
  private var previous: [(signal: Int32, action: sigaction)] = []

  init(to bell: WakePipe) {
    Self.target.store(bell.writeEnd, ordering: .sequentiallyConsistent)
    for signal in Self.terminalSignals { relay(signal, once: false) }
    for signal in EndingSignal.all { relay(signal, once: true) }
  }

  /// Gives every signal back to its handler before.
  mutating func stop() {
    for (signal, action) in previous {
      var action = action
      sigaction(signal, &action, nil)
    }
    previous = []
    Self.target.store(-1, ordering: .sequentiallyConsistent)
  }

  /// Stops the process as Ctrl-Z asks for; returns when it continues.
  func suspendProcess() {
    var handler = sigaction()
    sigaction(SIGTSTP, nil, &handler)
    signal(SIGTSTP, SIG_DFL)
    EndingSignal.unblock(SIGTSTP)
    // To this thread, so that it stands still before another instruction is run.
    raise(SIGTSTP)
    sigaction(SIGTSTP, &handler, nil)
  }

  /// Whether a signal that ends programs reaches the reader instead of ending this one.
  static var isActive: Bool { target.load(ordering: .sequentiallyConsistent) >= 0 }

  /// Takes a signal over; one that ends programs only from the system, and only once.
  ///
  /// Ignored ones and the program's own handlers stay, and the second of a kind ends even a
  /// program that hangs. Only Ctrl-\ is taken from Swift's crash reporter: nothing has crashed.
  private mutating func relay(_ signal: Int32, once: Bool) {
    var old = sigaction()
    guard creadline_handle_signal(signal, Self.handler, once ? 1 : 0, &old) == 0 else { return }
    if once, signal != SIGQUIT, creadline_is_default(&old) == 0 {
      sigaction(signal, &old, nil)
    } else {
      previous.append((signal, old))
    }
  }

  private static let handler: @convention(c) (Int32) -> Void = { signal in
    let interrupted = errno
    var byte = UInt8(truncatingIfNeeded: signal)
    _ = write(SignalRelay.target.load(ordering: .sequentiallyConsistent), &byte, 1)
    errno = interrupted
  }
}

/// The signals that end a program, but not before its terminal is as it was found.
enum EndingSignal {
  static let all = [SIGTERM, SIGHUP, SIGQUIT, SIGPIPE]

  /// Ends the process with the exit status that the signal itself would have given it.
  static func endProcess(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    unblock(number)
    raise(number)
    _exit(128 + number)
  }

  /// A thread started from one of Swift's pool inherits that all signals are blocked.
  static func unblock(_ number: Int32) {
    var only = sigset_t()
    sigemptyset(&only)
    sigaddset(&only, number)
    pthread_sigmask(SIG_UNBLOCK, &only, nil)
  }
}
