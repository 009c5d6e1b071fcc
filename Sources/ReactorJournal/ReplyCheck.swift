import Foundation
import Reactor

/// Detects replies in mutations, which must not be stored: after a restart nothing waits for them.
package enum ReplyCheck {
  /// How many mutations after an opening are checked, whatever their bytes are.
  private static let first = 16
  /// A text that every encoded reply contains, in each codec that writes names.
  private static let mark = Data("process".utf8)

  /// Checks the first mutations, and later those whose bytes may contain a reply.
  ///
  /// Checking each mutation would take as long as encoding it.
  ///
  /// - Parameters:
  ///   - mutation: The mutation.
  ///   - payload: The encoded mutation.
  ///   - count: How many mutations there were since the opening.
  /// - Throws: ``ReplyInMutation``.
  static func check(
    _ mutation: some Encodable, encoded payload: Data, after count: Int
  ) throws {
    if count < first || payload.contains(mark) { try check(mutation) }
  }

  /// Checks one mutation.
  ///
  /// - Parameter mutation: The mutation.
  /// - Throws: ``ReplyInMutation``.
  package static func check(_ mutation: some Encodable) throws {
    do {
      _ = try CanonicalHash.of(mutation)
    } catch let error as ReplyInMutation {
      throw error
    } catch {
      // The codec has encoded it, so it can be stored; an error of this traversal alone is ignored.
    }
  }
}

/// A mutation that was to be stored contains a `Reply`.
package struct ReplyInMutation: Error, CustomStringConvertible {
  package var description: String {
    "a Reply cannot be part of a mutation that is kept: answer where the mutation is emitted, and "
      + "keep what is to be known afterwards"
  }
}

/// A `Reply` with an answer of any type.
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
