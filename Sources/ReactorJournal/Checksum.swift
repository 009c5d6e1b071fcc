package import Foundation

/// A hash that is the same in every process: FNV-1a, of 64 bits.
///
/// It finds bytes that have changed by accident. It is no signature.
package enum Checksum {
  /// - Parameter data: The bytes.
  /// - Returns: Their hash.
  package static func of(_ data: Data) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    data.withUnsafeBytes { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return hash
  }
}
