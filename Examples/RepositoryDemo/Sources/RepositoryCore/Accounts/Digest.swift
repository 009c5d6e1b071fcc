package import Foundation
import LibCrypto

/// Hashes and codes, as OpenSSL makes them.
package enum Digest {
  /// The SHA-256 of some bytes: 32 bytes.
  package static func sha256(_ bytes: [UInt8]) -> Data {
    var hash = Data(count: 32)
    let isMade = hash.withUnsafeMutableBytes {
      SHA256(bytes, bytes.count, $0.bindMemory(to: UInt8.self).baseAddress) != nil
    }
    precondition(isMade, "OpenSSL has no SHA-256")
    return hash
  }

  /// The code of a text that has been signed with a key: HMAC with SHA-256, 32 bytes.
  package static func code(of text: String, key: Data) -> Data {
    let (text, key) = (Array(text.utf8), Array(key))
    var code = Data(count: 32)
    let isMade = code.withUnsafeMutableBytes {
      HMAC(
        EVP_sha256(), key, Int32(key.count), text, text.count,
        $0.bindMemory(to: UInt8.self).baseAddress, nil) != nil
    }
    // Otherwise 32 zeros would be the code of any text.
    precondition(isMade, "OpenSSL has no HMAC with SHA-256")
    return code
  }

  /// A key of 32 bytes for a password, made so that it costs time and memory.
  ///
  /// - Parameters:
  ///   - password: The password.
  ///   - salt: Random bytes, which are kept with the key.
  ///   - rounds: What it costs, a power of two: a kilobyte of memory each, for blocks of eight.
  /// - Returns: The key; `nil` if the number of rounds is no power of two, or takes too much memory.
  package static func scrypt(_ password: String, salt: Data, rounds: Int) -> Data? {
    guard let cost = UInt64(exactly: rounds), cost <= 1 << 20 else { return nil }
    let (password, salt) = (Array(password.utf8), Array(salt))
    var key = Data(count: 32)
    let isMade = key.withUnsafeMutableBytes { key in
      password.withUnsafeBytes { password in
        EVP_PBE_scrypt(
          password.bindMemory(to: CChar.self).baseAddress, password.count, salt, salt.count,
          cost, 8, 1, cost * 2_048 + 1 << 20,
          key.bindMemory(to: UInt8.self).baseAddress, key.count)
      }
    }
    return isMade == 1 ? key : nil
  }

  /// Compares two codes in the same time wherever they differ.
  package static func isEqual(_ one: Data, _ other: Data) -> Bool {
    let (one, other) = (Array(one), Array(other))
    return one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }

  /// Random bytes of the system, good enough for keys.
  package static func random(_ count: Int) -> Data {
    var chance = SystemRandomNumberGenerator()
    return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &chance) })
  }
}
