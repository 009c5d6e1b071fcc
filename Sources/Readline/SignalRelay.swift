#if Libedit
  import CEditline
#else
  import CReadline
#endif
#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif
import Synchronization

/// Passes signals to the reader's thread, which may do what a signal handler may not.
struct SignalRelay {
  /// The descriptor that the handler writes to; -1 while no terminal is being read.
  private static let target = Atomic<Int32>(-1)

  private static let terminalSignals = [SIGINT, SIGTSTP, SIGCONT, SIGWINCH]
  private var previous: [(signal: Int32, action: sigaction)] = []

  init(to wakePipe: WakePipe) {
    Self.target.store(wakePipe.writeEnd, ordering: .sequentiallyConsistent)
    for signal in Self.terminalSignals { relay(signal, once: false) }
    for signal in EndingSignal.all { relay(signal, once: true) }
  }

  /// Restores the previous handler of every signal.
  mutating func stop() {
    for (signal, action) in previous {
      var action = action
      sigaction(signal, &action, nil)
    }
    previous = []
    Self.target.store(-1, ordering: .sequentiallyConsistent)
  }

  /// Suspends the process, as Ctrl-Z requests; returns when it continues.
  func suspendProcess() {
    var handler = sigaction()
    sigaction(SIGTSTP, nil, &handler)
    signal(SIGTSTP, SIG_DFL)
    EndingSignal.unblock(SIGTSTP)
    // Sent to this thread, so that it stops before it runs another instruction.
    raise(SIGTSTP)
    sigaction(SIGTSTP, &handler, nil)
  }

  /// Whether a signal that ends programs reaches the reader instead of ending this one.
  static var isActive: Bool { target.load(ordering: .sequentiallyConsistent) >= 0 }

  /// Installs the handler for a signal.
  ///
  /// For a signal that ends programs, only if the system's default was installed, and only once.
  ///
  /// Ignored signals and the program's own handlers stay unchanged, and a second signal of the same
  /// kind ends even a program that hangs. Only SIGQUIT (Ctrl-\) is also taken from Swift's crash
  /// reporter: it is not a crash.
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

/// The signals that end a program; its terminal is restored first.
enum EndingSignal {
  static let all = [SIGTERM, SIGHUP, SIGQUIT, SIGPIPE]

  /// Ends the process with the exit status of the signal itself.
  static func endProcess(by number: Int32) -> Never {
    signal(number, SIG_DFL)
    unblock(number)
    raise(number)
    _exit(128 + number)
  }

  /// A thread that a thread of Swift's pool started inherits a mask that blocks all signals.
  static func unblock(_ number: Int32) {
    var only = sigset_t()
    sigemptyset(&only)
    sigaddset(&only, number)
    pthread_sigmask(SIG_UNBLOCK, &only, nil)
  }
}
