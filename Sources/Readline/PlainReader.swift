#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Reads lines from a pipe or a file, each only when it is requested.
struct PlainReader {
  private let coordinator: ConsoleCoordinator
  private var assembler = LineAssembler()
  private var buffer = [UInt8](repeating: 0, count: 16_384)

  init(coordinator: ConsoleCoordinator) {
    self.coordinator = coordinator
  }

  /// Runs on the reader's thread; returns at the end of the input, or when the console is closed.
  mutating func run() {
    while true {
      let work = coordinator.takeWork()
      if work.isClosing { break }
      if work.wantsLine, let line = assembler.next() {
        coordinator.deliver(line)
      } else if coordinator.wakePipe.wait(forInput: work.wantsLine).isWoken {
        _ = coordinator.wakePipe.drain()
      } else if !readMore() {
        if let line = assembler.finish() { coordinator.deliver(line) }
        break
      }
    }
    coordinator.endLines()
  }

  /// Reads what has arrived; returns false at the end of the input, or if it cannot be read.
  private mutating func readMore() -> Bool {
    let count = read(STDIN_FILENO, &buffer, buffer.count)
    guard count >= 0 else {
      if errno == EINTR || errno == EAGAIN { return true }
      coordinator.inputFailed(errno)
      return false
    }
    guard count > 0 else { return false }
    assembler.append(buffer[..<count])
    return true
  }
}
