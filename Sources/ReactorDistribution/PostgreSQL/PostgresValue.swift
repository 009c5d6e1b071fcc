import Foundation

/// A parameter of a statement.
enum PostgresValue: Sendable {
  case null
  case text(String)
  case int(Int)
  case double(Double)
  case bytes(Data)
  /// An array, whose elements are written as text.
  case array([PostgresValue])

  static func uuid(_ value: UUID) -> PostgresValue { .text(value.uuidString) }

  /// The text for the server; `nil` for null.
  var literal: String? {
    switch self {
    case .null: nil
    case .text(let text): text
    case .int(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bytes(let data): "\\x" + data.hex
    case .array(let values):
      "{" + values.map { $0.literal.map(Self.quoted) ?? "NULL" }.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    return "\"\(escaped)\""
  }
}

extension Data {
  private static let digits = Array("0123456789abcdef".utf8)

  fileprivate var hex: String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count * 2)
    for byte in self {
      bytes.append(Self.digits[Int(byte >> 4)])
      bytes.append(Self.digits[Int(byte & 15)])
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes the server's text for bytes: `\x0a0b`.
  init?(postgresHex text: String) {
    var bytes = text.utf8.makeIterator()
    guard bytes.next() == UInt8(ascii: "\\"), bytes.next() == UInt8(ascii: "x") else { return nil }
    self.init(capacity: text.utf8.count / 2)
    while let high = bytes.next() {
      guard let low = bytes.next(), let upper = Self.digit(high), let lower = Self.digit(low) else {
        return nil
      }
      append(upper << 4 | lower)
    }
  }

  private static func digit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 97...102: byte - 87
    default: nil
    }
  }
}

/// The result of a statement.
struct PostgresRows: Sendable {
  var rows: [[String?]] = []
  /// How many rows the statement wrote.
  var affected = 0

  var isEmpty: Bool { rows.isEmpty }
}

/// The server refused a statement, or did not answer.
enum PostgresError: ClusterStoreError, CustomStringConvertible {
  /// The connection was lost or the time limit was reached; it is unknown what was done.
  case lost(String)
  /// The server rejected the statement; nothing has been done.
  case refused(state: String, message: String)
  /// The data that was read differs from what was written.
  case malformed(String)

  var description: String {
    switch self {
    case .lost(let why): "the connection to PostgreSQL was lost: \(why)"
    case .refused(let state, let message): "PostgreSQL refused (\(state)): \(message)"
    case .malformed(let what): "PostgreSQL gave back something else than was written: \(what)"
    }
  }

  /// An error in the data, in the statement, or due to its size persists.
  var isPermanent: Bool {
    guard case .refused(let state, _) = self else { return false }
    return ["22", "42", "54"].contains(state.prefix(2))
  }

  var isUniqueViolation: Bool {
    if case .refused(let state, _) = self { state == "23505" } else { false }
  }
}
