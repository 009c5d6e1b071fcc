import Foundation
import GRDB
import Reactor
import ReactorJournal

/// A sum, and a list beside it that makes the state as large as one likes.
actor SumReactor: Reactor, JournaledReactor {
  struct State: Codable, Sendable {
    var sum = 0
    var items: [Int] = []
  }

  enum Mutation: Codable, Sendable {
    case add(Int)
    case fill(Int)
  }

  typealias Action = Mutation
  static let journalName = "sum"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .add(let number):
      state.sum += number
      if !state.items.isEmpty { state.items[state.sum % state.items.count] += 1 }
    case .fill(let count): state.items = Array(0..<count)
    }
  }
}

/// The least that a codec can do: the number in nine bytes.
struct BareCodec: JournalCodec {
  func encode<Value: Encodable>(_ value: Value) throws -> Data {
    let (code, number): (UInt8, Int) =
      switch value as? SumReactor.Mutation {
      case .add(let number)?: (0, number)
      case .fill(let number)?: (1, number)
      case nil: throw CocoaError(.coderInvalidValue)
      }
    var data = Data(capacity: 9)
    data.append(code)
    withUnsafeBytes(of: number.littleEndian) { data.append(contentsOf: $0) }
    return data
  }

  func decode<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
    guard data.count == 9 else { throw CocoaError(.coderReadCorrupt) }
    let number = data.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 1, as: Int.self) }
    let mutation: SumReactor.Mutation =
      data[data.startIndex] == 0 ? .add(Int(littleEndian: number)) : .fill(number)
    guard let value = mutation as? Value else { throw CocoaError(.coderReadCorrupt) }
    return value
  }
}

/// Counts batches on their way to a store.
actor CountingStore: JournalStore {
  let inner: any JournalStore
  private(set) var batches = 0
  private(set) var rows = 0

  init(_ inner: any JournalStore) { self.inner = inner }

  func append(_ entries: [JournalEntry], to key: JournalKey, epoch: Int) async throws {
    batches += 1
    rows += entries.count
    try await inner.append(entries, to: key, epoch: epoch)
  }
  func entries(
    of key: JournalKey, after sequence: Int, limit: Int
  ) async throws -> [JournalEntry] {
    try await inner.entries(of: key, after: sequence, limit: limit)
  }
  func take(_ key: JournalKey) async throws -> JournalClaim { try await inner.take(key) }
  func release(_ key: JournalKey, epoch: Int) async { await inner.release(key, epoch: epoch) }
  func extent(of key: JournalKey) async throws -> JournalExtent {
    try await inner.extent(of: key)
  }
  func ids(of name: String, after id: String?, limit: Int) async throws -> [String] {
    try await inner.ids(of: name, after: id, limit: limit)
  }
  func snapshot(
    of key: JournalKey, through sequence: Int
  ) async throws -> JournalSnapshot? { try await inner.snapshot(of: key, through: sequence) }
  func save(_ snapshot: JournalSnapshot, of key: JournalKey, epoch: Int) async throws {
    try await inner.save(snapshot, of: key, epoch: epoch)
  }
  func deleteEntries(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await inner.deleteEntries(of: key, through: sequence, epoch: epoch)
  }
  func deleteSnapshots(of key: JournalKey, through sequence: Int, epoch: Int) async throws {
    try await inner.deleteSnapshots(of: key, through: sequence, epoch: epoch)
  }
}

/// The floor: rows of the same payload, one prepared INSERT for each, so many in a transaction that
/// is on the disk when it returns.
struct PlainRows {
  let queue: DatabaseQueue

  init(path: String) async throws {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = FULL") }
    queue = try DatabaseQueue(path: path, configuration: configuration)
    try await queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA journal_mode = WAL")
      try db.execute(sql: "CREATE TABLE row (sequence INTEGER PRIMARY KEY, payload BLOB NOT NULL)")
    }
  }

  func insert(_ count: Int, batch: Int, payload: Data) async throws {
    for start in stride(from: 0, to: count, by: batch) {
      try await queue.write { db in
        let insert = try db.cachedStatement(sql: "INSERT INTO row (payload) VALUES (?)")
        for _ in start..<min(count, start + batch) { try insert.execute(arguments: [payload]) }
      }
    }
  }

  /// The floor of a recovery: the rows read in one go, decoded and folded.
  func fold(_ codec: any JournalCodec) async throws -> SumReactor.State {
    try await queue.read { db in
      var state = SumReactor.initialState
      let rows = try Data.fetchCursor(db, sql: "SELECT payload FROM row ORDER BY sequence")
      while let payload = try rows.next() {
        let mutation = try codec.decode(SumReactor.Mutation.self, from: payload)
        SumReactor.reduce(state: &state, mutation: mutation)
      }
      return state
    }
  }
}

/// The same from memory.
func fold(_ payloads: [Data], _ codec: any JournalCodec) throws -> SumReactor.State {
  var state = SumReactor.initialState
  for payload in payloads {
    SumReactor.reduce(
      state: &state, mutation: try codec.decode(SumReactor.Mutation.self, from: payload))
  }
  return state
}

/// What one would write by hand: an actor that folds numbers, keeps them together, as JSON, and lets
/// go whoever waits for them. No epochs, no checksums, no causes, no failures, nobody who watches.
actor HandJournal {
  private let queue: DatabaseQueue
  private var sum = 0
  private var waiting: [(mutation: SumReactor.Mutation, waiter: CheckedContinuation<Void, Never>)] =
    []
  private var isWriting = false
  private(set) var batches = 0

  init(_ rows: PlainRows) { queue = rows.queue }

  func add(_ number: Int) async {
    await withCheckedContinuation { waiter in
      sum += number
      waiting.append((.add(number), waiter))
      guard !isWriting else { return }
      isWriting = true
      Task { await write() }
    }
  }

  private func write() async {
    while !waiting.isEmpty {
      let batch = waiting
      waiting = []
      batches += 1
      do { try await Self.keep(batch.map(\.mutation), in: queue) } catch { fatalError("\(error)") }
      for (_, waiter) in batch { waiter.resume() }
    }
    isWriting = false
  }

  @concurrent private static func keep(
    _ mutations: [SumReactor.Mutation], in queue: DatabaseQueue
  ) async throws {
    let codec = JSONJournalCodec()
    let payloads = try mutations.map { try codec.encode($0) }
    try await queue.write { db in
      let insert = try db.cachedStatement(sql: "INSERT INTO row (payload) VALUES (?)")
      for payload in payloads { try insert.execute(arguments: [payload]) }
    }
  }
}
