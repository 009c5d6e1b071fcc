import Foundation
import Hummingbird
import Logging
import Reactor
import ReactorComposition
import ReactorHummingbird
import ReactorLifecycle
import ReactorRuntime
import ServiceLifecycle
import UnixSignals

/// A reactor whose every action is work for a while; of ten thousand one never ends by itself.
actor Worker: Reactor {
  typealias Mutation = Int

  nonisolated let initialState = 0
  nonisolated let pipeline = Pipeline(inboxLimit: 5000)

  func mutate(action: Int) -> MutationStream<Int> {
    .run { emit in
      if action % 10_000 == 9_999 { try await Task.sleep(for: .seconds(3600)) }
      await Task.yield()
      await emit(1)
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  nonisolated func report(_ report: ReactorReport) {}
}

/// How actions ended, over the whole process.
final class Tally: Sendable {
  let counts = Guarded<[String: Int]>([:])

  func count(_ word: String, _ number: Int = 1) {
    counts.withLock { $0[word, default: 0] += number }
  }
}

/// A service for a test to end in the middle: it says its port, and in the end how many actions
/// ended how.
@main
struct ServedFixture {
  static func main() async throws {
    let (tally, logger) = (Tally(), Logger(label: "fixture") { _ in SwiftLogNoOpLogHandler() })
    let workers = ReactorRegistry<Int, Worker>(idle: nil) { _ in Worker() }
    let reactors = ReactorService(workers, drain: .seconds(1), logger: logger)
    let router = Router()
    // A thousand actions in one request, over ten reactors.
    router.post("burst/{number}") { _, context in
      let first = try context.parameters.require("number", as: Int.self) * 1000
      return await burst(first..<first + 1000, to: workers, tally)
    }
    // The same, but for the last: only when that one has ended, which never ends by itself, are the
    // others sent.
    router.post("late/{number}") { _, context in
      let first = try context.parameters.require("number", as: Int.self) * 1000
      printLine("late")
      let last = await burst(first + 999..<first + 1000, to: workers, tally)
      return await burst(first..<first + 999, to: workers, tally).merging(last) { $0 + $1 }
    }
    let app = Application(
      router: router, server: .http1(serving: reactors),
      configuration: ApplicationConfiguration(address: .hostname("127.0.0.1", port: 0)),
      onServerRunning: { printLine("port \($0.localAddress?.port ?? 0)") }, logger: logger)
    try await ServiceGroup(
      services: [reactors, app], gracefulShutdownSignals: [.sigterm], logger: logger
    ).run()
    tally.count("abandoned", reactors.abandoned.reduce(0) { $0 + $1.actions.count })
    var done = 0
    for (word, count) in tally.counts.withLock({ $0 }).sorted(by: { $0.key < $1.key }) {
      printLine("\(word) \(count)")
      done += count
    }
    printLine("end \(done)")
  }

  /// Sends actions, all at once, and counts how they end.
  static func burst(
    _ actions: Range<Int>, to workers: ReactorRegistry<Int, Worker>, _ tally: Tally
  ) async -> [String: Int] {
    await withTaskGroup(of: String.self, returning: [String: Int].self) { group in
      for action in actions {
        group.addTask {
          let word = await outcome(of: action, from: workers)
          tally.count(word)
          return word
        }
      }
      return await group.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    }
  }

  /// A line, at once.
  static func printLine(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

  static func outcome(of action: Int, from workers: ReactorRegistry<Int, Worker>) async -> String {
    do {
      return switch try await workers[action % 10].outcome(of: action) {
      case .finished: "finished"
      case .reactorEnded: "reactorEnded"
      case .neverBegun: "neverBegun"
      case .refused: "refused"
      case .cancelled: "cancelled"
      default: "other"
      }
    } catch {
      return "refused"
    }
  }
}
