import Foundation
import ReactorDistribution
import ReactorHummingbird
import ReactorJournal
import TestLimits
import Testing

/// What a client is answered where a service's reactors are those of a cluster.
@Suite(.bounded) struct ClusterErrorTests {
  typealias HTTPErrorFields = ReactorHTTPErrorTests.HTTPErrorFields

  static let key = JournalKey(name: "list", id: "1")
  static let unreachable = HTTPErrorFields(503, "unreachable", retryAfter: 2, isWithoutEffect: true)

  static let errors: [(ClusterError, HTTPErrorFields)] = [
    (.fenced(key, epoch: 1), .failed), (.taken(key, sequence: 1), .failed),
    (.notOwner(key, nil), unreachable), (.unreachable(key, "no host answers"), unreachable),
    (.unfinished(key, command: UUID()), .ended), (.poisoned(key, attempts: 5), unreachable),
    (.tooNew(key, version: 2), unreachable), (.unknownKind("list"), unreachable),
    (.overloaded("a"), unreachable),
    (.wrongKey("no such key"), HTTPErrorFields(400, "invalid", isWithoutEffect: true)),
    (.invalid("no such address"), .failed), (.stopped, .stopped),
    (.unusable("it is away"), .failed),
    (.failed(key, reason: ClusterFailure(.failed, "it fell")), .failed),
    (.failed(key, reason: ClusterFailure(.failed, "no", refusal: "soldOut")), .soldOut),
    (.failed(key, reason: ClusterFailure(.late, "too late")), HTTPErrorFields(504, "late")),
  ]

  @Test(arguments: errors)
  func `an error of a cluster has its status`(error: ClusterError, expected: HTTPErrorFields) throws
  {
    #expect(HTTPErrorFields(try #require(ReactorHTTPError(error))) == expected)
  }
}
