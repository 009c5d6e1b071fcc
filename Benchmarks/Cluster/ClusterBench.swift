import Foundation
import Reactor
import ReactorDistribution
import ReactorJournal

/// What `Benchmarks/cluster.py` measures.
///
/// - `host INFO SCHEMA ADDRESS KEYS`: a host of a cluster that does what it is told, line by line.
///   - `touch`: asks each of the keys once, so that each comes to the host that it belongs to.
///   - `here`: says which of them are on this host.
///   - `ask SENDERS SECONDS KEY,KEY…`: asks so many at a time, and says how many and how fast.
///   - `bare SENDERS SECONDS ADDRESS`: the same, without reactors: HTTP there and back.
/// - `rows INFO SENDERS SECONDS BATCH`: so many connections, each with one prepared statement that
///   inserts so many rows and is on the disk when it returns.
@main
struct ClusterBench {
  static func main() async throws {
    let words = Array(CommandLine.arguments.dropFirst())
    switch (words.first, words.count) {
    case ("host", 5): try await BenchHost(words).run()
    case ("rows", 5):
      guard let senders = Int(words[2]), let seconds = Double(words[3]), let batch = Int(words[4])
      else { fatalError("numbers are numbers") }
      let rows = try PlainRows(words[1])
      say(await rows.insert(senders: senders, for: seconds, batch: batch).line)
    default: say("host INFO SCHEMA ADDRESS KEYS | rows INFO SENDERS SECONDS BATCH")
    }
  }

  /// A line, at once.
  static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
}

/// A sum, which each action answers.
actor SumReactor: Reactor, JournaledReactor {
  enum Action: Codable, Sendable { case add(Int, Reply<Int>) }
  typealias Mutation = Int
  typealias State = Int

  static let journalName = "sum"
  static let journalVersion = 1
  static let initialState = 0
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Int> {
    switch action {
    case .add(let number, let reply):
      reply(currentState + number)
      return .just(number)
    }
  }

  static func reduce(state: inout Int, mutation: Int) { state += mutation }
}
