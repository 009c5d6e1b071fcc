package import Foundation
import LibCrypto

/// Hashes and message authentication codes, computed by OpenSSL.
package enum Digest {
  /// Returns the SHA-256 of some bytes: 32 bytes.
  package static func sha256(_ bytes: [UInt8]) -> Data {
    var hash = Data(count: 32)
    let isMade = hash.withUnsafeMutableBytes {
      SHA256(bytes, bytes.count, $0.bindMemory(to: UInt8.self).baseAddress) != nil
    }
    precondition(isMade, "OpenSSL has no SHA-256")
    return hash
  }

  /// Returns the authentication code of a text for a key: HMAC with SHA-256, 32 bytes.
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

  /// Derives a key of 32 bytes from a password, at a cost of time and memory.
  ///
  /// - Parameters:
  ///   - password: The password.
  ///   - salt: Random bytes, which are stored with the key.
  ///   - rounds: The cost, a power of two: each takes a kilobyte of memory, with blocks of eight.
  /// - Returns: The key; `nil` if the number of rounds is no power of two, or takes too much
  ///   memory.
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

  /// Compares two codes in constant time.
  package static func isEqual(_ one: Data, _ other: Data) -> Bool {
    let (one, other) = (Array(one), Array(other))
    return one.count == other.count && CRYPTO_memcmp(one, other, one.count) == 0
  }

  /// Returns random bytes of the system that are suitable for keys.
  package static func random(_ count: Int) -> Data {
    var chance = SystemRandomNumberGenerator()
    return Data((0..<count).map { _ in UInt8.random(in: .min ... .max, using: &chance) })
  }
}
