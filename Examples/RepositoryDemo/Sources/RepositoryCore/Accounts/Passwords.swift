import Dispatch
import Foundation

/// Hashes passwords and compares them with hashes.
package protocol PasswordHashing: Sendable {
  func hash(_ password: String) async throws -> String
  func isRight(_ password: String, for hash: String) async -> Bool
}

/// scrypt by OpenSSL: `scrypt$rounds$salt$key`, in base64.
///
/// Hashes are computed one at a time, on a queue of their own: each takes 32 megabytes and a tenth
/// of a second, and none blocks a thread on which actors run.
package final class Scrypt: PasswordHashing {
  private let queue = DispatchQueue(label: "passwords")
  private let rounds: Int

  /// - Parameter rounds: The cost; OWASP lists at most 2^17 for 8 blocks, and at least 2^13.
  package init(rounds: Int = 1 << 15) { self.rounds = rounds }

  package func hash(_ password: String) async throws -> String {
    let salt = Digest.random(16)
    guard let key = await key(of: password, salt: salt, rounds: rounds) else {
      throw NotHashed(rounds: rounds)
    }
    return "scrypt$\(rounds)$\(salt.base64EncodedString())$\(key.base64EncodedString())"
  }

  package func isRight(_ password: String, for hash: String) async -> Bool {
    let parts = hash.split(separator: "$").map(String.init)
    guard parts.count == 4, parts[0] == "scrypt", let rounds = Int(parts[1]),
      let salt = Data(base64Encoded: parts[2]), let wanted = Data(base64Encoded: parts[3]),
      let key = await key(of: password, salt: salt, rounds: rounds)
    else { return false }
    return Digest.isEqual(key, wanted)
  }

  private func key(of password: String, salt: Data, rounds: Int) async -> Data? {
    await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Digest.scrypt(password, salt: salt, rounds: rounds))
      }
    }
  }

  private struct NotHashed: Error, CustomStringConvertible {
    let rounds: Int
    var description: String { "a password cannot be hashed in \(rounds) rounds" }
  }
}
