import Foundation
import Reactor

/// Keeps replies out of a journal: nothing waits for one any more when the journal is read.
package enum ReplyCheck {
  /// How many mutations are looked at after an opening, whatever their bytes say.
  private static let first = 16
  /// A part of what a reply is encoded as, in every codec that writes names.
  private static let mark = Data("process".utf8)

  /// Looks into the first mutations, and then into those whose bytes may be of a reply.
  ///
  /// To look into each would take as long as to encode it.
  ///
  /// - Parameters:
  ///   - mutation: What is to be kept.
  ///   - payload: As what.
  ///   - count: How many there were since the opening.
  /// - Throws: ``ReplyInMutation``.
  static func check(
    _ mutation: some Encodable, encoded payload: Data, after count: Int
  ) throws {
    if count < first || payload.contains(mark) { try check(mutation) }
  }

  /// - Parameter mutation: What is to be kept.
  /// - Throws: ``ReplyInMutation``.
  package static func check(_ mutation: some Encodable) throws {
    do {
      _ = try CanonicalHash.of(mutation)
    } catch let error as ReplyInMutation {
      throw error
    } catch {
      // It has been encoded, so that it can be kept: what only this walk cannot read is ignored.
    }
  }
}

/// A mutation that was to be kept has a `Reply` in it.
package struct ReplyInMutation: Error, CustomStringConvertible {
  package var description: String {
    "a Reply cannot be part of a mutation that is kept: answer where the mutation is emitted, and "
      + "keep what is to be known afterwards"
  }
}

/// A `Reply`, whatever it is to be answered with.
protocol ReplyValue {}

extension Reply: ReplyValue {}

extension Data {
  fileprivate func contains(_ part: Data) -> Bool {
    withUnsafeBytes { bytes in
      part.withUnsafeBytes { part in
        guard let first = part.first, let start = part.baseAddress, var place = bytes.baseAddress
        else { return false }
        var left = bytes.count
        while left >= part.count, let found = memchr(place, Int32(first), left) {
          left -= UnsafeRawPointer(found) - place
          if left < part.count { return false }
          if memcmp(found, start, part.count) == 0 { return true }
          (place, left) = (UnsafeRawPointer(found) + 1, left - 1)
        }
        return false
      }
    }
  }
}
