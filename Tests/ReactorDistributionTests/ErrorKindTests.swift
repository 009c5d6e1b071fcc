import Foundation
import Reactor
import ReactorJournal
import TestLimits
import Testing

@testable import ReactorDistribution

/// What an error of a cluster means to code that answers a client.
@Suite(.bounded) struct ErrorKindTests {
  static let key = JournalKey(name: "list", id: "1")

  static let errors: [(ClusterError, String?)] = [
    (.fenced(key, epoch: 1), nil), (.taken(key, sequence: 1), nil),
    (.notOwner(key, nil), "unreachable"), (.unreachable(key, "no host answers"), "unreachable"),
    (.unfinished(key, command: UUID()), "ended"), (.poisoned(key, attempts: 5), "unreachable"),
    (.tooNew(key, version: 2), "unreachable"), (.unknownKind("list"), "unreachable"),
    (.overloaded("a"), "unreachable"), (.wrongKey("no such key"), "invalid"),
    (.invalid("no such address"), nil), (.stopped, "neverBegun"), (.unusable("it is away"), nil),
  ]

  @Test(arguments: errors)
  func `an error of a cluster has its kind`(error: ClusterError, kind: String?) {
    #expect(error.kindOfError.map { "\($0)" } == kind)
  }

  static let failures: [(ClusterFailure, String?)] = [
    (ClusterFailure(.failed, "it fell"), nil),
    (ClusterFailure(.failed, "no", refusal: "soldOut"), #"declined("soldOut")"#),
    (ClusterFailure(.cancelled, "why"), "cancelled"), (ClusterFailure(.refused, "why"), "refused"),
    (ClusterFailure(.dropped, "why"), "dropped"), (ClusterFailure(.late, "why"), "late"),
    (ClusterFailure(.released, "why"), nil),
    (ClusterFailure(.neverBegun, "why"), "neverBegun"),
    (ClusterFailure(.notMade, "why"), nil), (ClusterFailure(.ended, "why"), "ended"),
    (ClusterFailure(.forgotten, "why"), nil),
  ]

  @Test(arguments: failures)
  func `an action that failed has the kind of its reason`(failure: ClusterFailure, kind: String?) {
    let error = ClusterError.failed(Self.key, reason: failure)
    #expect(error.kindOfError.map { "\($0)" } == kind)
  }
}
