import Foundation
import Reactor
import ReactorJournal

/// What keeping costs, everything beside its floor in the same run, as tables.
///
/// With `short`, a tenth of it, once or twice; with `many`, only many reactors on one journal.
@main
struct JournalRatios {
  static func main() async throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "journal-\(UUID())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let arguments = CommandLine.arguments.dropFirst()
    let ratios = JournalRatios(folder: folder, isShort: arguments.contains("short"))
    try await ratios.manyReactors()
    if arguments.contains("many") { return }
    try await ratios.writing()
    try await ratios.stateSizes()
    try await ratios.recovering()
  }

  let folder: URL
  let isShort: Bool

  /// At once, also into a pipe.
  func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  func path() -> String { folder.appending(path: "\(UUID()).db").path }

  static func time(_ body: () async throws -> Void) async rethrows -> Double {
    let clock = ContinuousClock()
    let begun = clock.now
    try await body()
    return begun.duration(to: clock.now) / .seconds(1)
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

  // MARK: Writing

  /// So many senders, each of which waits until its action is on the disk.
  private func journaled(
    senders: Int, each: Int, stateSize: Int = 0
  ) async throws -> (rate: Double, batch: Int) {
    let store = CountingStore(try await SQLiteStore(path: path()))
    let journal = try await Journal(.store(store))
    let sum = try await journal.open("1") { SumReactor() }
    await sum.send(.fill(stateSize)).settled
    let before = await (rows: store.rows, batches: store.batches)
    let seconds = await Self.time {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<senders {
          group.addTask { for _ in 0..<each { await sum.send(.add(1)).settled } }
        }
      }
    }
    let (rows, batches) = await (store.rows - before.rows, store.batches - before.batches)
    guard rows == senders * each, await sum.currentState.sum == rows else {
      fatalError("something was lost")
    }
    await sum.stop().settled
    return (Double(rows) / seconds, rows / batches)
  }

  private func plain(_ count: Int, batch: Int) async throws -> Double {
    let rows = try await PlainRows(path: path())
    let payload = try JSONJournalCodec().encode(SumReactor.Mutation.add(1))
    let seconds = try await Self.time {
      try await rows.insert(count, batch: batch, payload: payload)
    }
    return Double(count) / seconds
  }

  func byHand(senders: Int, each: Int) async throws -> Double {
    let journal = HandJournal(try await PlainRows(path: path()))
    let seconds = await Self.time {
      await withTaskGroup(of: Void.self) { group in
        for _ in 0..<senders {
          group.addTask { for _ in 0..<each { await journal.add(1) } }
        }
      }
    }
    return Double(senders * each) / seconds
  }

  func writing() async throws {
    print(
      "\n| senders | rows in a batch | journaled rows/s | plain rows/s | ratio | by hand | of that |"
    )
    print("|---|---|---|---|---|---|---|")
    for senders in [1, 8, 64, 512] {
      let count = (senders < 8 ? 4_000 : 40_960) / (isShort ? 10 : 1)
      var (rates, floors, ratios, sizes): ([Double], [Double], [Double], [Int]) = ([], [], [], [])
      var hands: [Double] = []
      for _ in 0..<(isShort ? 3 : 5) {
        let one = try await journaled(senders: senders, each: count / senders)
        let floor = try await plain(count, batch: one.batch)
        hands.append(try await byHand(senders: senders, each: count / senders))
        rates.append(one.rate)
        floors.append(floor)
        ratios.append(one.rate / floor)
        sizes.append(one.batch)
      }
      print(
        "| \(senders) | \(sizes.sorted()[sizes.count / 2]) | \(thousands(rates)) | \(thousands(floors)) | "
          + "\(text(ratios)) | \(thousands(hands)) | \(text(zip(rates, hands).map { $0 / $1 })) |")
    }
  }

  func stateSizes() async throws {
    print("\n| numbers in the state | journaled rows/s, 64 senders | beside an empty state |")
    print("|---|---|---|")
    var rates: [Int: [Double]] = [:]
    let sizes = [0, 1_000, 10_000, 100_000]
    for _ in 0..<(isShort ? 1 : 3) {
      for size in sizes {
        rates[size, default: []].append(
          try await journaled(senders: 64, each: isShort ? 60 : 300, stateSize: size).rate)
      }
    }
    for size in sizes {
      let ratios = zip(rates[size] ?? [], rates[0] ?? []).map { $0 / $1 }
      print("| \(size) | \(thousands(rates[size] ?? [])) | \(text(ratios)) |")
    }
  }

  // MARK: Recovering

  func recovering() async throws {
    print(
      "\nmutations/s, and beside a fold by hand of the same payloads:\n"
        + "\n| mutations | memory, bare codec | memory, JSON | SQLite, bare | SQLite, JSON |")
    print("|---|---|---|---|---|")
    for count in isShort ? [10_000, 100_000] : [1_000, 10_000, 100_000, 1_000_000] {
      var cells: [String] = []
      for isFile in [false, true] {
        for codec in [BareCodec(), JSONJournalCodec()] as [any JournalCodec] {
          let store: any JournalStore =
            isFile ? try await SQLiteStore(path: path()) : MemoryStore()
          try await fill(store, with: count, codec)
          let payload = try codec.encode(SumReactor.Mutation.add(1))
          let rows = try await PlainRows(path: path())
          if isFile { try await rows.insert(count, batch: 10_000, payload: payload) }
          var (rates, ratios): ([Double], [Double]) = ([], [])
          for _ in 0..<(isShort ? 2 : 3) {
            rates.append(try await recovery(from: store, of: count, codec))
            let seconds = try await Self.time {
              let payloads = isFile ? [] : Array(repeating: payload, count: count)
              let state = isFile ? try await rows.fold(codec) : try fold(payloads, codec)
              guard state.sum == count else { fatalError("something was lost") }
            }
            ratios.append((rates.last ?? 0) * seconds / Double(count))
          }
          cells.append("\(thousands(rates)) (\(text(ratios)))")
        }
      }
      print("| \(count) | \(cells.joined(separator: " | ")) |")
    }
  }

  private let key = JournalKey(name: SumReactor.journalName, id: "1")

  private func fill(
    _ store: any JournalStore, with count: Int, _ codec: any JournalCodec
  ) async throws {
    let claim = try await store.take(key)
    let payload = try codec.encode(SumReactor.Mutation.add(1))
    for start in stride(from: 1, through: count, by: 10_000) {
      let entries = (start..<min(count + 1, start + 10_000)).map {
        JournalEntry(sequence: $0, version: 1, payload: payload, cause: "1.\($0)", time: Date())
      }
      try await store.append(entries, to: key, epoch: claim.epoch)
    }
    await store.release(key, epoch: claim.epoch)
  }

  private func recovery(
    from store: any JournalStore, of count: Int, _ codec: any JournalCodec
  ) async throws -> Double {
    let options = JournalOptions(snapshotAfter: nil)
    let journal = try await Journal(.store(store), codec: codec, options: options)
    let begun = ContinuousClock().now
    let sum = try await journal.open("1") { SumReactor() }
    let seconds = begun.duration(to: ContinuousClock().now) / .seconds(1)
    guard await sum.currentState.sum == count else { fatalError("something was lost") }
    await sum.stop().settled
    return Double(count) / seconds
  }

  // MARK: Text

  private func thousands(_ values: [Double]) -> String {
    "\(Int((Self.median(values) / 1_000).rounded())),000"
  }

  func text(_ ratios: [Double]) -> String {
    "\((Self.median(ratios) * 100).rounded() / 100)"
  }
}
