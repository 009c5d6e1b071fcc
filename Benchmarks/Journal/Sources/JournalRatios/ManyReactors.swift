import Foundation
import GRDB
import Reactor
import ReactorJournal

/// Many reactors on one journal, one sender each, beside the same by hand in the same run.
extension JournalRatios {
  /// A number of reactors, and how many actions each of them takes.
  private struct Load {
    let reactors: Int
    let each: Int

    var count: Int { reactors * each }
  }

  private struct Figures {
    var journaled: [Double] = []
    var grouped: [Double] = []
    var separate: [Double] = []
  }

  func manyReactors() async throws {
    var loads = [
      Load(reactors: 1, each: 4_000), Load(reactors: 64, each: 640),
      Load(reactors: 1_000, each: 40),
    ]
    if isShort { loads = loads.map { Load(reactors: $0.reactors, each: max(4, $0.each / 10)) } }
    print(
      "\n| reactors, one sender each | actions/s | group commit by hand | ratio | "
        + "a transaction each by hand | ratio |\n|---|---|---|---|---|---|")
    for load in loads {
      var figures = Figures()
      for _ in 0..<(isShort ? 3 : 5) {
        figures.journaled.append(try await journaled(load))
        figures.grouped.append(try await byHand(senders: load.reactors, each: load.each))
        figures.separate.append(try await separately(load))
      }
      func ratio(to other: [Double]) -> String {
        text(zip(figures.journaled, other).map { $0 / $1 })
      }
      print(
        "| \(load.reactors) | \(rate(figures.journaled)) | \(rate(figures.grouped)) | "
          + "\(ratio(to: figures.grouped)) | \(rate(figures.separate)) | "
          + "\(ratio(to: figures.separate)) |")
    }
  }

  /// Reactors of one journal, each with a sender that waits until its action is on the disk.
  private func journaled(_ load: Load) async throws -> Double {
    let journal = try await Journal(
      .sqlite(at: path()), options: JournalOptions(snapshotAfter: nil))
    var reactors: [SumReactor] = []
    for id in 0..<load.reactors {
      reactors.append(try await journal.open("\(id)") { SumReactor() })
    }
    let seconds = await Self.time {
      await withTaskGroup(of: Void.self) { group in
        for sum in reactors {
          group.addTask { for _ in 0..<load.each { await sum.send(.add(1)).settled } }
        }
      }
    }
    for sum in reactors {
      guard try await sum.history?.last == load.each else { fatalError("something was lost") }
      await sum.stop().settled
    }
    return Double(load.count) / seconds
  }

  /// Tasks that encode a value and write it in a transaction of its own.
  private func separately(_ load: Load) async throws -> Double {
    let rows = try await PlainRows(path: path())
    // The rate does not depend on the count, and a transaction each takes long.
    let each = max(1, min(load.count, 4_000) / load.reactors)
    let seconds = try await Self.time {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<load.reactors {
          group.addTask {
            let codec = JSONJournalCodec()
            for _ in 0..<each {
              let payload = try codec.encode(SumReactor.Mutation.add(1))
              try await rows.insert(1, batch: 1, payload: payload)
            }
          }
        }
        try await group.waitForAll()
      }
    }
    return Double(each * load.reactors) / seconds
  }

  private func rate(_ values: [Double]) -> String {
    let value = Int((Self.median(values) / 10).rounded()) * 10
    return value < 1_000
      ? "\(value)" : "\(value / 1_000),\(String(value % 1_000 + 1_000).dropFirst())"
  }
}
