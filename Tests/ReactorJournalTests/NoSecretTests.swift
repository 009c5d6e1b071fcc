import Foundation
import Reactor
import ReactorJournal
import TestLimits
import Testing

/// What a journal says of a value that it cannot read or write, without the value.
@Suite(.bounded) struct NoSecretTests {
  private enum Level: String, Codable { case low, high }

  @Test func `no error of a journal quotes what a decoder has quoted`() throws {
    let secret = "hunter2-correct-horse"
    let cause = try #require(throws: DecodingError.self) {
      _ = try JSONDecoder().decode([Level].self, from: Data("[\"\(secret)\"]".utf8))
    }
    #expect("\(cause)".contains(secret))
    let key = JournalKey(name: "levels", id: "1")
    let errors: [JournalError] = [
      .undecodable(key, sequence: 1, version: 1, cause: cause),
      .unencodable(key, sequence: 1, cause: cause),
      .undecodableSnapshot(key, sequence: 1, version: 1, cause: cause),
      .storeFailed(key, cause: cause), .unusable("/tmp/levels.db", cause: cause),
    ]
    for error in errors {
      #expect(!error.description.contains(secret), "\(error)")
      #expect(!error.localizedDescription.contains(secret), "\(error)")
      #expect(error.description.contains("DecodingError.dataCorrupted"), "\(error)")
    }
  }
}
