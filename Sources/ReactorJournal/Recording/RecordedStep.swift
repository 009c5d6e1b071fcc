package import Foundation
import Reactor

/// An action that was taken, or a mutation that was reduced, as a recording has it.
package struct RecordedStep: Codable, Sendable, Equatable {
  package enum Kind: String, Codable, Sendable { case action, mutation }

  package let kind: Kind
  /// The action's number, or the mutation's.
  package let number: UInt64
  /// Of a mutation: the action whose work it was.
  package let action: UInt64?
  /// Of an action: what sent it, in words; `nil` where it came from outside.
  package let cause: String?
  /// Whether the reactor has sent it itself.
  package let isOwn: Bool
  /// How many microseconds after the recording began.
  package let after: Int64
  package let payload: Data
  /// A hash of the state after it.
  package let hash: UInt64?

  init(
    _ kind: Kind, number: UInt64, of action: UInt64?, cause: ReactorCause?, isOwn: Bool,
    after: Duration, payload: Data, hash: UInt64?
  ) {
    (self.kind, self.number, self.action, self.isOwn) = (kind, number, action, isOwn)
    self.cause = cause.map { "\($0)" }
    self.after = Int64((after / .microseconds(1)).rounded(.up))
    (self.payload, self.hash) = (payload, hash)
  }

  /// What it counts for in the ring.
  package var size: Int { payload.count + (cause?.utf8.count ?? 0) + 64 }

  /// How long after the recording began.
  package var time: Duration { .microseconds(after) }
}
