package import Foundation

/// A 64-bit FNV-1a hash, which is the same in every process.
///
/// It detects accidental changes. It is not a signature.
package enum Checksum {
  /// Returns the hash of some bytes.
  ///
  /// - Parameter data: The bytes.
  /// - Returns: Their hash.
  package static func of(_ data: Data) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    data.withUnsafeBytes { bytes in
      for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
    return hash
  }

  /// Returns the hash of a text's bytes in UTF-8.
  ///
  /// - Parameter text: The text.
  /// - Returns: Its hash.
  package static func of(_ text: String) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in text.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
