package import Foundation
import Reactor

/// An action that was taken, or a mutation that was reduced, as it is recorded.
package struct RecordedStep: Codable, Sendable, Equatable {
  package enum Kind: String, Codable, Sendable { case action, mutation }

  package let kind: Kind
  /// The number of the action or of the mutation.
  package let number: UInt64
  /// The action that emitted the mutation.
  package let action: UInt64?
  /// A description of what sent the action; `nil` if it was sent from outside.
  package let cause: String?
  /// Whether the reactor sent the action itself.
  package let isOwn: Bool
  /// The time since the recording began, in microseconds.
  package let after: Int64
  package let payload: Data
  /// A hash of the state after the mutation.
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

  /// The size that counts towards the limit of the recording.
  package var size: Int { payload.count + (cause?.utf8.count ?? 0) + 64 }

  /// The time since the recording began.
  package var time: Duration { .microseconds(after) }
}
