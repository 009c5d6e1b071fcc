import CPostgres
import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A connection to a server, used by one thread at a time.
///
/// It never blocks inside libpq. It waits for the socket, with a time limit.
final class PostgresConnection {
  private let handle: OpaquePointer
  private let timeout: Duration
  /// Whether an answer may still arrive that nothing waits for; the connection is not used any
  /// more.
  private var isLost = false
  /// The names of the statements that the server has prepared.
  private var prepared: [String: String] = [:]

  /// Connects to the first host of a connection string that accepts the connection.
  ///
  /// - Parameters:
  ///   - info: The connection string for libpq.
  ///   - timeout: How long connecting may take, including the resolution of names; later, how long
  ///     each statement may take. Each host has its share of the remaining time.
  /// - Returns: The connection.
  /// - Throws: ``PostgresError/lost(_:)``.
  static func open(_ info: String, timeout: Duration) throws -> PostgresConnection {
    let end = ContinuousClock.now + timeout
    let hosts = PostgresHosts(info).settings
    var reasons: [String] = []
    for (number, host) in hosts.enumerated() {
      let rest = ContinuousClock.now.duration(to: end) / (hosts.count - number)
      do {
        return try Blocking.run(within: rest) {
          try PostgresConnection(info, host, within: rest, timeout: timeout)
        }
      } catch PostgresError.lost(let reason) {
        reasons.append(reason)
      }
    }
    throw PostgresError.lost(reasons.joined(separator: "; "))
  }

  private init(
    _ info: String, _ host: [String: String], within limit: Duration, timeout: Duration
  ) throws {
    self.timeout = timeout
    let milliseconds = "\(Int(max(1, min(timeout / .milliseconds(1), 2_000_000_000))))"
    // Later settings override those of the user; they contain only what a cluster requires.
    let settings =
      [
        ("fallback_application_name", "reactor"), ("dbname", info), ("client_encoding", "UTF8"),
        ("tcp_user_timeout", milliseconds),
      ] + host.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    var keys = settings.map { UnsafePointer(strdup($0.0)) as UnsafePointer<CChar>? }
    var values = settings.map { UnsafePointer(strdup($0.1)) as UnsafePointer<CChar>? }
    keys.append(nil)
    values.append(nil)
    defer { for pointer in keys + values { free(UnsafeMutablePointer(mutating: pointer)) } }
    guard let handle = PQconnectStartParams(keys, values, 1) else {
      throw PostgresError.lost("no memory")
    }
    self.handle = handle
    // If this fails, `deinit` closes the connection.
    try connect(until: .now + limit)
    PQsetnonblocking(handle, 1)
    // By default, libpq writes the server's notices to standard error, which belongs to the
    // program.
    PQsetNoticeProcessor(handle, { _, _ in }, nil)
  }

  deinit { PQfinish(handle) }

  /// Whether the connection cannot be used any more.
  ///
  /// libpq alone cannot say, since it considers a connection usable although an answer is
  /// outstanding.
  var isBroken: Bool { isLost || PQstatus(handle) == CONNECTION_BAD }

  private var message: String {
    let text = PQerrorMessage(handle).map { String(cString: $0) } ?? ""
    return text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  private func connect(until end: ContinuousClock.Instant) throws {
    var status = PGRES_POLLING_WRITING
    while true {
      if PQstatus(handle) == CONNECTION_BAD { throw PostgresError.lost(message) }
      switch status {
      case PGRES_POLLING_OK: return
      case PGRES_POLLING_READING: try wait(forReading: true, until: end)
      case PGRES_POLLING_WRITING: try wait(forReading: false, until: end)
      default: throw PostgresError.lost(message)
      }
      status = PQconnectPoll(handle)
    }
  }

  /// Waits until the socket is ready.
  ///
  /// - Throws: ``PostgresError/lost(_:)`` at the time limit.
  private func wait(forReading: Bool, until end: ContinuousClock.Instant) throws {
    var place = pollfd(
      fd: PQsocket(handle), events: Int16(forReading ? POLLIN : POLLIN | POLLOUT), revents: 0)
    while true {
      let rest = ContinuousClock.now.duration(to: end) / .milliseconds(1)
      guard rest > 0 else { throw PostgresError.lost("no answer within \(timeout)") }
      let count = poll(&place, 1, Int32(min(rest.rounded(.up), 3_600_000)))
      if count > 0 { return }
      if count < 0, errno != EINTR { throw PostgresError.lost(String(cString: strerror(errno))) }
    }
  }

  // MARK: Statements

  /// Runs one statement.
  ///
  /// - Parameters:
  ///   - sql: The statement; all data of the user is in parameters.
  ///   - parameters: The values for `$1`, `$2` and so on.
  ///   - isPrepared: Whether the server keeps the prepared statement; for statements of which there
  ///     are few.
  /// - Returns: The result.
  /// - Throws: ``PostgresError``, and after a `lost` the connection is broken;
  ///   ``ClusterError/invalid(_:)`` for a text with a NUL, which would be truncated.
  @discardableResult
  func query(
    _ sql: String, _ parameters: [PostgresValue] = [], isPrepared: Bool = false
  ) throws -> PostgresRows {
    let literals = parameters.map(\.literal)
    guard !literals.contains(where: { $0?.utf8.contains(0) == true }) else {
      throw ClusterError.invalid("a text with a NUL in it cannot be kept in PostgreSQL")
    }
    let texts = literals.map { $0.map { strdup($0) } }
    defer { for text in texts { free(text ?? nil) } }
    let values = texts.map { $0.map { UnsafePointer($0) } ?? nil }
    let end = ContinuousClock.now + timeout
    do {
      let count = Int32(values.count)
      let sent =
        isPrepared
        ? PQsendQueryPrepared(handle, try prepare(sql, until: end), count, values, nil, nil, 0)
        : PQsendQueryParams(handle, sql, count, nil, values, nil, nil, 0)
      guard sent == 1 else { throw PostgresError.lost(message) }
      return try results(until: end)
    } catch let error as PostgresError {
      // A late answer would be taken as the answer to another statement.
      if case .lost = error {
        isLost = true
        shutdown(PQsocket(handle), Int32(SHUT_RDWR))
      }
      throw error
    }
  }

  /// Prepares a statement, unless it is prepared.
  ///
  /// - Returns: The name of the prepared statement on the server.
  private func prepare(_ sql: String, until end: ContinuousClock.Instant) throws -> String {
    if let name = prepared[sql] { return name }
    let name = "reactor_\(prepared.count)"
    guard PQsendPrepare(handle, name, sql, 0, nil) == 1 else { throw PostgresError.lost(message) }
    _ = try results(until: end)
    prepared[sql] = name
    return name
  }

  private func results(until end: ContinuousClock.Instant) throws -> PostgresRows {
    while true {
      let left = PQflush(handle)
      if left < 0 { throw PostgresError.lost(message) }
      if left == 0 { break }
      try wait(forReading: false, until: end)
      guard PQconsumeInput(handle) == 1 else { throw PostgresError.lost(message) }
    }
    var rows = PostgresRows()
    var failure: PostgresError?
    while true {
      while PQisBusy(handle) == 1 {
        try wait(forReading: true, until: end)
        guard PQconsumeInput(handle) == 1 else { throw PostgresError.lost(message) }
      }
      guard let result = PQgetResult(handle) else { break }
      defer { PQclear(result) }
      switch PQresultStatus(result) {
      case PGRES_TUPLES_OK, PGRES_COMMAND_OK: rows = read(result)
      default: failure = refusal(result)
      }
    }
    if isBroken { throw PostgresError.lost(message) }
    if let failure { throw failure }
    return rows
  }

  private func refusal(_ result: OpaquePointer) -> PostgresError {
    // PG_DIAG_SQLSTATE, a character constant.
    let state = PQresultErrorField(result, Int32(UInt8(ascii: "C"))).map { String(cString: $0) }
    let text = PQresultErrorField(result, Int32(UInt8(ascii: "M"))).map { String(cString: $0) }
    // The server shuts down or has ended this session, so it is unknown whether it committed.
    guard let state, !state.hasPrefix("57P"), !state.hasPrefix("08") else {
      return .lost(text ?? message)
    }
    return .refused(state: state, message: text ?? message)
  }

  private func read(_ result: OpaquePointer) -> PostgresRows {
    let (count, width) = (PQntuples(result), PQnfields(result))
    var rows: [[String?]] = []
    rows.reserveCapacity(Int(count))
    for row in 0..<count {
      rows.append(
        (0..<width).map { column in
          if PQgetisnull(result, row, column) == 1 { return nil }
          return PQgetvalue(result, row, column).map { String(cString: $0) }
        })
    }
    let affected = PQcmdTuples(result).flatMap { Int(String(cString: $0)) } ?? 0
    return PostgresRows(rows: rows, affected: affected)
  }
}
