import Foundation
import Reactor
import ReactorJournal
import ReactorJournalTesting
import ReactorTesting
import Testing

/// Made from a recording.
@Test func `a kettle that was recorded`() async throws {
  try await simulate { simulation in
    let reactor: KettleReactor = try await recorded(
      from: #"{"degrees":20,"isHeating":false,"litres":0}"#
    ) { KettleReactor(simulation.clock) }
    let test = await ReactorTest(reactor, in: simulation)
    try await test.sendRecorded(#"{"fill":{"_0":2}}"#, reducing: #"{"filled":{"_0":2}}"#)
    try await test.sendRecorded(#"{"heat":{"to":40}}"#, reducing: #"{"heating":{"_0":true}}"#)
    await test.advance(by: .milliseconds(1500))
    try await test.receiveRecorded(#"{"heated":{"by":10}}"#)
    try await test.sendRecorded(#"{"fill":{"_0":1}}"#, reducing: #"{"filled":{"_0":1}}"#)
    await test.advance(by: .milliseconds(5000))
    try await test.receiveRecorded(#"{"heated":{"by":10}}"#)
    try await test.receiveRecorded(#"{"heating":{"_0":false}}"#)
    try await test.sendRecorded(#"{"pourAndRefill":{"_0":2}}"#, reducing: #"{"poured":{}}"#)
    try await test.receiveRecorded(#"{"filled":{"_0":2}}"#)
    await test.reactor.stop().settled
    await test.finish()
  }
}
