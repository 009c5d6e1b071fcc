import Foundation
import Reactor
import ReactorComposition
import ReactorDistribution
import ReactorJournal

/// One counter for all hosts.
actor CounterReactor: Reactor, JournaledReactor {
  enum Action: Codable { case add(Int, Reply<Int>) }
  typealias Mutation = Int
  typealias State = Int

  static let journalName = "counter"
  static let journalVersion = 1
  static let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .add(let number, let reply):
      // The reply is sent when the mutation that this turn returns is durable, so the value is
      // correct. No other action runs in between, since this turn never suspends.
      reply(currentState + number)
      return .just(number)
    }
  }

  static func reduce(state: inout Int, mutation: Int) { state += mutation }
}

/// The same counter, used from several terminals; see `make cluster`.
@main
struct ClusterDemo {
  static func main() async throws {
    let words = CommandLine.arguments
    guard words.count == 3 else {
      try? FileHandle.standardError.write(
        contentsOf: Data("usage: ClusterDemo DATABASE ADDRESS\n".utf8))
      exit(2)
    }
    let cluster = try await ReactorCluster(.postgres(words[1]), address: words[2])
    let counter = cluster.registry(of: CounterReactor.self) { _ in CounterReactor() }["1"]
    say("+ or - and Return; an empty line ends this host in order")
    let watching = Task {
      for try await count in counter.state { say("the count is \(count)") }
    }
    for await line in lines() {
      guard let step = ["+": 1, "-": -1][line] else {
        if line.isEmpty { break }
        say("type + or -")
        continue
      }
      do {
        let count = try await counter.ask { .add(step, $0) }
        say("\(line) makes it \(count)")
      } catch {
        say("\(line) was not done: \(error)")
      }
    }
    watching.cancel()
    await cluster.drain()
  }

  /// Prints at once, also to a pipe.
  private static func say(_ line: String) {
    try? FileHandle.standardOutput.write(contentsOf: Data("\(line)\n".utf8))
  }

  /// The lines of standard input, read by a separate thread.
  private static func lines() -> AsyncStream<String> {
    AsyncStream { lines in
      Thread.detachNewThread {
        while let line = readLine() { lines.yield(line) }
        lines.finish()
      }
    }
  }
}
