import Reactor
import ReactorRuntime
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The output and the end of a session's program, and the tasks that wait for them.
///
/// Guarded by `state`'s lock: the screen, the transcript, the exit status and the waiting tasks.
/// One thread reads the terminal, another one waits for the program.
final class SessionFeed: Sendable {
  private struct Waiter {
    let condition: @Sendable (State) -> Bool
    let continuation: CheckedContinuation<Bool, Never>
    let deadline: ContinuousClock.Instant
    let cancellation: Cancellation
  }

  private struct State {
    var screen: ScreenModel
    var bytes: [UInt8] = []
    var status: ExitStatus?
    var finalSettings: TerminalSettings?
    var isOver = false
    var waiters: [Waiter] = []
  }

  private static let patience = Duration.seconds(600)
  private let state: Guarded<State>

  init(screen: ScreenModel) {
    state = Guarded(State(screen: screen))
  }

  func start(pty: PseudoTerminal, pid: pid_t) {
    Blocking.thread { [self] in readTerminal(pty) }
    Blocking.thread { [self] in
      // Not reaped before `status` is set, so that no signal goes to a reused number.
      var info = siginfo_t()
      while waitid(P_PID, id_t(pid), &info, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      state.withLock {
        $0.finalSettings = pty.settings
        $0.status = ChildProcess.wait(for: pid)
      }
      // The last open descriptor of the terminal: what was written is read, and then its end.
      close(pty.terminal)
    }
  }

  func kill(_ pid: pid_t, with signal: Int32) {
    state.withLock { state in
      if state.status == nil { _ = sendSignal(pid, signal) }
    }
  }

  func resize(columns: Int, rows: Int) {
    update { $0.screen.resize(columns: columns, rows: rows) }
  }

  // MARK: Waiting

  func wait(until condition: @escaping @Sendable (ScreenModel) -> Bool) async -> Bool {
    await wait { condition($0.screen) }
  }

  func waitForExit() async -> ExitStatus? {
    _ = await wait { $0.isOver }
    return state.withLock { $0.isOver ? $0.status : nil }
  }

  private func wait(for condition: @escaping @Sendable (State) -> Bool) async -> Bool {
    let cancellation = Cancellation()
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        update {
          $0.waiters.append(
            Waiter(
              condition: condition, continuation: continuation, deadline: .now + Self.patience,
              cancellation: cancellation))
        }
      }
    } onCancel: {
      cancellation.isCancelled.store(true, ordering: .releasing)
      update { _ in }
    }
  }

  /// Changes the state, and resumes each task whose condition is met or can no longer be met.
  private func update(_ change: (inout State) -> Void) {
    let answers = state.withLock { state in
      change(&state)
      let now = ContinuousClock.now
      var answers: [(CheckedContinuation<Bool, Never>, Bool)] = []
      let snapshot = state
      state.waiters.removeAll { waiter in
        let isMet = waiter.condition(snapshot)
        let isCancelled = waiter.cancellation.isCancelled.load(ordering: .acquiring)
        guard isMet || isCancelled || snapshot.isOver || waiter.deadline < now else { return false }
        answers.append((waiter.continuation, isMet))
        return true
      }
      return answers
    }
    for (continuation, isMet) in answers { continuation.resume(returning: isMet) }
  }

  // MARK: The terminal

  private func readTerminal(_ pty: PseudoTerminal) {
    var wait = pollfd(fd: pty.person, events: Int16(POLLIN), revents: 0)
    while true {
      // The timeout is for deadlines only.
      if poll(&wait, 1, 1_000) == 0 {
        update { _ in }
      } else if let bytes = Descriptors.readSome(pty.person) {
        update {
          $0.bytes += bytes
          $0.screen.feed(bytes)
        }
      } else {
        break
      }
    }
    close(pty.person)
    update { $0.isOver = true }
  }

  // MARK: Looking

  var screen: ScreenModel { state.withLock { $0.screen } }

  var finalSettings: TerminalSettings? { state.withLock { $0.finalSettings } }

  var transcript: String { state.withLock { String(decoding: $0.bytes, as: UTF8.self) } }

  var picture: String {
    let (screen, status) = state.withLock { ($0.screen, $0.status) }
    let end = status.map { "ended: \($0)" } ?? "running"
    return screen.history.map { "  | \($0)\n" }.joined()
      + "  cursor \(screen.cursor.row),\(screen.cursor.column); \(end)"
  }
}

/// Whether a waiting task was cancelled.
private final class Cancellation: Sendable {
  let isCancelled = Atomic(false)
}

/// `kill`, which the method of that name hides.
private func sendSignal(_ pid: pid_t, _ signal: Int32) -> Int32 {
  kill(pid, signal)
}
