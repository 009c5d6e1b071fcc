import Foundation
import Reactor
import ReactorJournal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process to be killed: opens a journal, and prints on standard output what happens.
///
/// `opened C` when it has, with C numbers; then `ack S N` when number N of sender S has settled,
/// and `seen C` when a state with C numbers was shown. With `hold` it only waits for a line; with
/// `full`, no file may grow beyond a quarter of a megabyte, and `lost S N` says that a number could
/// not be kept; with `read-only`, the same from the first number on that was acknowledged; with
/// `nobody`, it is a user who owns nothing. With `sum`, it opens a ``SumReactor`` instead, and says
/// its state and how many kilobytes this process has had at most. With `many`, it opens 64
/// reactors, and says `ack R N` when reactor R has settled N actions, and `lost R` when it failed.
@main
struct JournalFixture {
  static func main() async {
    do {
      try await run(CommandLine.arguments)
    } catch {
      printLine("error \(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    let mode = arguments.count > 2 ? arguments[2] : ""
    if mode == "nobody", geteuid() == 0 { _ = (setgid(65_534), setuid(65_534)) }
    let options = JournalOptions(snapshotAfter: .milliseconds(1))
    let journal = try await Journal(.sqlite(at: arguments[1]), options: options)
    if mode == "many" { return try await openMany(journal) }
    if mode == "sum" { return try await openSum(arguments[1]) }
    let tally = try await journal.open("1") { TallyReactor() }
    var begun = await tally.currentState
    printLine("opened \(TallyReactor.count(begun))")
    switch mode {
    case "full": fillDisk()
    case "read-only":
      await tally.send(.init(sender: 0, number: begun[0]?.count ?? 0)).settled
      begun = await tally.currentState
      printLine("ack 0 \((begun[0]?.count ?? 0) - 1)")
      leaveToRead(arguments[1] + "-wal")
    case "": break
    default:
      _ = readLine()
      return
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await state in tally.state { printLine("seen \(TallyReactor.count(state))") }
      }
      for sender in 0..<8 {
        group.addTask { [begun] in
          for number in (begun[sender]?.count ?? 0)... {
            let outcome = await tally.outcome(of: .init(sender: sender, number: number))
            printLine("\(outcome.isFinished ? "ack" : "lost") \(sender) \(number)")
            if !outcome.isFinished { break }
          }
        }
      }
    }
  }

  private static func openMany(_ journal: Journal) async throws {
    ReactorReports.setHandler { _ in }
    var reactors: [(TripleReactor, begun: Int)] = []
    for id in 0..<64 {
      let reactor = try await journal.open("\(id)") { TripleReactor() }
      reactors.append((reactor, await reactor.currentState.count / 3))
    }
    printLine("opened \(reactors.reduce(0) { $0 + $1.begun })")
    await withTaskGroup(of: Void.self) { group in
      for (id, (reactor, begun)) in reactors.enumerated() {
        group.addTask {
          for number in (begun + 1)... {
            guard await reactor.outcome(of: id).isFinished else { return printLine("lost \(id)") }
            printLine("ack \(id) \(number)")
          }
        }
      }
    }
  }

  private static func openSum(_ path: String) async throws {
    let options = JournalOptions(snapshotAfter: nil)
    let journal = try await Journal(.sqlite(at: path), options: options)
    let sum = try await journal.open("1") { SumReactor() }
    printLine("sum \(await sum.currentState)")
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let peak = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    printLine("peak \(peak?.split(whereSeparator: \.isWhitespace).dropFirst().first ?? "0")")
  }

  /// What becomes of a file on a disk that can only be read from now on: it stays open, and nothing
  /// can be written to it.
  private static func leaveToRead(_ path: String) {
    var (file, other) = (stat(), stat())
    guard stat(path, &file) == 0 else { return }
    for descriptor in Int32(3)..<256
    where fstat(descriptor, &other) == 0 && other.st_ino == file.st_ino {
      let reading = open(path, O_RDONLY)
      dup2(reading, descriptor)
      close(reading)
    }
  }

  /// What a full disk does: writing fails from some size on.
  private static func fillDisk() {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: 1 << 18, rlim_max: 1 << 18)
    #if canImport(Darwin)
      setrlimit(RLIMIT_FSIZE, &limit)
    #else
      setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    #endif
  }

  /// Writes one line, at once and in one piece.
  private static func printLine(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(1, bytes, bytes.count)
  }
}
