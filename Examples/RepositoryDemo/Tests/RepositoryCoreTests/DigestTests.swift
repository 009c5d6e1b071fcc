import Foundation
import RepositoryCore
import Testing

/// The examples of the standards.
@Suite(.timeLimit(.minutes(2))) struct DigestTests {
  @Test func `a hash is that of FIPS 180-4`() {
    #expect(
      digits(Digest.sha256(Array("abc".utf8)))
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `a code is that of RFC 4231`() {
    #expect(
      digits(Digest.code(of: "what do ya want for nothing?", key: Data("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
  }

  @Test func `a password's key is that of RFC 7914`() throws {
    let key = try #require(
      Digest.scrypt("pleaseletmein", salt: Data("SodiumChloride".utf8), rounds: 16_384))
    #expect(digits(key) == "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2")
  }

  @Test(arguments: [-1, 0, 1, 3, 1 << 30])
  func `a count of rounds that is not positive gives no key`(rounds: Int) {
    #expect(Digest.scrypt("difference", salt: Data("salt".utf8), rounds: rounds) == nil)
  }

  @Test func `codes are equal only as a whole`() {
    let code = Data([1, 2, 3])
    #expect(Digest.isEqual(code, Data([1, 2, 3])))
    #expect(!Digest.isEqual(code, Data([1, 2, 4])))
    #expect(!Digest.isEqual(code, Data([1, 2])))
  }
}

private func digits(_ data: Data) -> String {
  data.map { String(format: "%02x", $0) }.joined()
}
