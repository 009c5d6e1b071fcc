import CryptoExtras
import Dispatch
import Foundation

/// Makes hashes of passwords, and compares.
package protocol PasswordHashing: Sendable {
  func hash(_ password: String) async throws -> String
  func isRight(_ password: String, for hash: String) async -> Bool
}

/// scrypt, as swift-crypto has it: `scrypt$rounds$salt$key`, in base64.
///
/// One at a time, on a queue of its own: each takes 32 megabytes and a tenth of a second, and no
/// thread on which actors run.
package final class Scrypt: PasswordHashing {
  private let queue = DispatchQueue(label: "passwords")
  private let rounds: Int

  /// - Parameter rounds: What it costs; OWASP has 2^17 for 8 blocks at most, and no less than 2^13.
  package init(rounds: Int = 1 << 15) { self.rounds = rounds }

  package func hash(_ password: String) async throws -> String {
    var chance = SystemRandomNumberGenerator()
    let salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &chance) })
    let key = try await key(of: password, salt: salt, rounds: rounds)
    return "scrypt$\(rounds)$\(salt.base64EncodedString())$\(key.base64EncodedString())"
  }

  package func isRight(_ password: String, for hash: String) async -> Bool {
    let parts = hash.split(separator: "$").map(String.init)
    guard parts.count == 4, parts[0] == "scrypt", let rounds = Int(parts[1]),
      let salt = Data(base64Encoded: parts[2]), let wanted = Data(base64Encoded: parts[3]),
      let key = try? await key(of: password, salt: salt, rounds: rounds), key.count == wanted.count
    else { return false }
    // All of it is compared, wherever it differs.
    return zip(key, wanted).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private func key(of password: String, salt: Data, rounds: Int) async throws -> Data {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(
          with: Result {
            try KDF.Scrypt.deriveKey(
              from: Data(password.utf8), salt: salt, outputByteCount: 32, rounds: rounds,
              blockSize: 8, parallelism: 1
            ).withUnsafeBytes { Data($0) }
          })
      }
    }
  }
}
