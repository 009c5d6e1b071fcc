import Synchronization

/// Identifies a reply in encoded form; as text it is ``Reply/id``.
struct ReplyID: Sendable, Codable, CustomStringConvertible {
  private static let ofProcess = UInt64.random(in: .min ... .max)
  private static let count = Atomic<UInt64>(0)

  let process: UInt64
  let number: UInt64

  /// Makes a new identifier.
  init() {
    process = Self.ofProcess
    number = Self.count.add(1, ordering: .relaxed).newValue
  }

  /// Two numbers in digits: `4c1f…-12`.
  var description: String { "\(String(process, radix: 16))-\(number)" }
}
