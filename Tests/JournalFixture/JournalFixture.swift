import Reactor
import ReactorJournal

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A process to be killed: opens a journal, and says on standard output what it was told.
///
/// `opened C` when it has, with C numbers; then `ack S N` when number N of sender S has settled,
/// and `seen C` when a state with C numbers was shown. With `hold` it only waits for a line.
@main
struct JournalFixture {
  static func main() async {
    do {
      try await run(CommandLine.arguments)
    } catch {
      say("error \(error)")
      exit(1)
    }
  }

  private static func run(_ arguments: [String]) async throws {
    let options = JournalOptions(snapshotAfter: .milliseconds(1))
    let journal = try await Journal(.sqlite(at: arguments[1]), options: options)
    let tally = try await journal.open("1") { TallyReactor() }
    let begun = await tally.currentState
    say("opened \(TallyReactor.count(begun))")
    if arguments.count > 2 {
      _ = readLine()
      return
    }
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for await state in tally.state { say("seen \(TallyReactor.count(state))") }
      }
      for sender in 0..<8 {
        group.addTask {
          for number in (begun[sender]?.count ?? 0)... {
            await tally.send(.init(sender: sender, number: number)).settled
            say("ack \(sender) \(number)")
          }
        }
      }
    }
  }

  /// Writes one line, at once and in one piece.
  private static func say(_ line: String) {
    let bytes = Array("\(line)\n".utf8)
    _ = write(1, bytes, bytes.count)
  }
}
