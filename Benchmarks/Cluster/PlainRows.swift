import CPostgres
import Foundation

/// The floor: rows as large as a journal's, by prepared statements, each its own transaction.
///
/// Each connection has a thread; none waits for another, and nobody is answered.
struct PlainRows {
  private final class Connection: @unchecked Sendable {
    // Guard: used by one thread at a time.
    let handle: OpaquePointer

    init(_ info: String) {
      guard let handle = PQconnectdb(info), PQstatus(handle) == CONNECTION_OK else {
        fatalError("no connection")
      }
      self.handle = handle
    }

    deinit { PQfinish(handle) }

    func run(_ sql: String) { check(PQexec(handle, sql)) }

    func prepare(_ sql: String) { check(PQprepare(handle, "insert", sql, 0, nil)) }

    func insert(_ values: [String]) {
      let texts = values.map { UnsafePointer(strdup($0)) as UnsafePointer<CChar>? }
      defer { for text in texts { free(UnsafeMutablePointer(mutating: text)) } }
      check(PQexecPrepared(handle, "insert", Int32(texts.count), texts, nil, nil, 0))
    }

    private func check(_ result: OpaquePointer?) {
      guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else {
        fatalError(PQerrorMessage(handle).map { String(cString: $0) } ?? "")
      }
      PQclear(result)
    }
  }

  private let info: String

  init(_ info: String) throws {
    self.info = info
    let connection = Connection(info)
    connection.run("drop table if exists plain")
    connection.run(
      """
      create table plain (
        kind text not null, id text not null, seq bigint not null, payload bytea not null,
        primary key (kind, id, seq))
      """)
  }

  /// - Returns: How long each statement took.
  func insert(senders: Int, for seconds: Double, batch: Int) async -> Load {
    let clock = ContinuousClock()
    let begun = clock.now
    let end = begun + .seconds(seconds)
    return await withTaskGroup(of: [Duration].self) { group in
      for sender in 0..<senders {
        group.addTask { [info] in
          await withCheckedContinuation { continuation in
            Thread.detachNewThread {
              let connection = Connection(info)
              connection.prepare(
                """
                insert into plain (kind, id, seq, payload)
                select 'sum', $1, e.* from unnest($2::bigint[], $3::bytea[]) e
                """)
              var (times, row): ([Duration], Int) = ([], 0)
              while case let sent = clock.now, sent < end {
                let numbers = (row..<(row + batch)).map(String.init).joined(separator: ",")
                let payloads = (0..<batch).map { _ in "\"\\\\x31\"" }.joined(separator: ",")
                connection.insert(["\(sender)", "{\(numbers)}", "{\(payloads)}"])
                row += batch
                times.append(clock.now - sent)
              }
              continuation.resume(returning: times)
            }
          }
        }
      }
      var load = Load()
      for await times in group { load.add(times) }
      load.ended(after: clock.now - begun)
      return load
    }
  }
}
