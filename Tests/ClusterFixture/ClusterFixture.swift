import Foundation
import Reactor
import ReactorComposition
import ReactorDistribution
import ReactorJournal

/// A list that is only added to.
actor FixtureList: Reactor, JournaledReactor {
  enum Action: Codable, Sendable {
    case append(Int, Reply<Int>)
    case read(Reply<[Int]>)
    /// Ends its process, as a fault in the program does.
    case poison(Reply<Int>)
  }

  typealias Mutation = Int
  typealias State = [Int]
  static let journalName = "list"
  static let journalVersion = 1
  static let initialState: [Int] = []
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .append(let item, let reply):
      reply(currentState.count + 1)
      return .just(item)
    case .read(let reply):
      reply(currentState)
      return .empty
    case .poison: fatalError("poison")
    }
  }

  static func reduce(state: inout [Int], mutation: Int) { state.append(mutation) }
  nonisolated func report(_ report: ReactorReport) {}
}

/// A host that follows commands, line by line.
///
/// `append 7 to 1` is answered by `7 at 3`, when that is so, or `7 failed`; and what it says when
/// it is ready has its address. `poison 7 to 1` ends whichever host has the list; `read 7 of 1` is
/// answered by `7 values 1,2,3`, and `watch 7 of 1` by one such line for each state.
@main
struct ClusterFixture {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count >= 4 else {
      FileHandle.standardError.write(
        Data("usage: ClusterFixture INFO SCHEMA ADDRESS [LEASE]\n".utf8))
      exit(2)
    }
    // One that is poisoned leaves nothing behind.
    var none = rlimit(rlim_cur: 0, rlim_max: 0)
    #if canImport(Darwin)
      setrlimit(RLIMIT_CORE, &none)
    #else
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
    #endif
    let lease = words.count > 4 ? Double(words[4]) ?? 5 : 5
    var options = ClusterOptions(
      lease: .seconds(lease), retryTimeout: .seconds(20), recoveryAttemptLimit: 3)
    options.report = { printLine("report \($0)") }
    let cluster = try await ReactorCluster(
      .postgres(words[1], schema: words[2]), address: words[3], options: options)
    let lists = cluster.registry(of: FixtureList.self) { _ in FixtureList() }
    printLine("ready \(words[3])")
    await withDiscardingTaskGroup { group in
      for await line in lines() {
        let words = line.split(separator: " ").map(String.init)
        if words == ["here"] {
          printLine("here \(lists.idsHere.sorted().joined(separator: ","))")
        } else if words.count == 2, words[0] == "ping" {
          printLine("pong \(words[1])")
        } else if words == ["leave"] {
          break
        } else if words.count == 4, let item = Int(words[1]) {
          let list = lists[words[3]]
          group.addTask {
            do {
              try await execute(words[0], item, list)
            } catch {
              printLine("\(item) failed: \(error)")
            }
          }
        }
      }
    }
    await cluster.drain()
    printLine("left")
  }

  private static func execute(
    _ word: String, _ item: Int, _ list: ClusteredReactor<FixtureList>
  ) async throws {
    switch word {
    case "read": printLine("\(item) values \(text(try await list.currentState(.fenced)))")
    case "watch": for try await state in list.state { printLine("\(item) values \(text(state))") }
    case "poison": printLine("\(item) at \(try await list.ask { .poison($0) })")
    default: printLine("\(item) at \(try await list.ask { .append(item, $0) })")
    }
  }

  private static func text(_ values: [Int]) -> String {
    values.map(String.init).joined(separator: ",")
  }

  /// The lines of standard input, read by a thread of its own.
  private static func lines() -> AsyncStream<String> {
    AsyncStream { lines in
      Thread.detachNewThread {
        while let line = readLine() { lines.yield(line) }
        lines.finish()
      }
    }
  }

  private static func printLine(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }
}
