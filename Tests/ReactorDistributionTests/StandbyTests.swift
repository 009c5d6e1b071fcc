import Foundation
import Reactor
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// A database with a standby, for which it waits or not.
@Suite(
  .enabled(if: PostgresServer.isInstalled, PostgresServer.missing), .serialized,
  .bounded)
struct StandbyTests {
  @Test func `without a synchronous standby a host starts only where that is configured`()
    async throws
  {
    let pair = try await PostgresPair()
    try await pair.attach()
    var options = ClusterOptions()
    await #expect {
      try await httpHosts(1, on: pair.info, options: options) { _ in }
    } throws: { error in
      guard case ClusterError.unusable(let why) = error else { return false }
      return why.contains("synchronous_standby_names")
    }
    options.acceptsAsynchronousStandby = true
    try await httpHosts(1, on: pair.info, options: options) { hosts in
      let place = try await hosts[0].lists["1"].ask { .append(1, $0) }
      #expect(place == 1)
    }
    try await pair.waitForStandby()
    options.acceptsAsynchronousStandby = false
    try await httpHosts(1, on: pair.info, options: options) { hosts in
      let place = try await hosts[0].lists["1"].ask { .append(1, $0) }
      #expect(place == 1)
    }
  }

  @Test func `a standby that is added later is reported once, and ends nothing`() async throws {
    let pair = try await PostgresPair()
    let reports = Log<ClusterReport>()
    var options = ClusterOptions(lease: .seconds(9))
    options.report = { reports.append($0) }
    try await httpHosts(1, on: pair.info, options: options) { hosts in
      let host = try #require(hosts[0].cluster.node.incarnation?.host)
      #expect(try await hosts[0].lists["1"].ask { .append(1, $0) } == 1)
      try await pair.attach()
      #expect(await reports.entries(upTo: 1) == [.asynchronousStandby(host)])
      #expect(try await hosts[0].lists["1"].ask { .append(2, $0) } == 2)
      #expect(hosts[0].cluster.node.incarnation?.host == host)
    }
    #expect(reports.count == 1)
  }

  @Test func `a synchronous standby takes over, and nothing acknowledged is missing`()
    async throws
  {
    let pair = try await PostgresPair()
    try await pair.attach()
    try await pair.waitForStandby()
    let reports = Log<ClusterReport>()
    var options = ClusterOptions(lease: .seconds(9), retryTimeout: .seconds(60))
    options.report = { reports.append($0) }
    let info = await pair.both
    try await httpHosts(2, on: info, options: options) { hosts in
      for item in 1...9 {
        #expect(try await hosts[item % 2].lists["1"].ask { .append(item, $0) } == item)
      }
      let incarnations = hosts.compactMap { $0.cluster.node.incarnation?.host }
      try await pair.failOver()
      let received = await reports.entries(upTo: 2)
      #expect(Set(received) == Set(incarnations.map { .historyChanged($0, pair.term) }))
      #expect(try await hosts[0].lists["1"].ask { .append(10, $0) } == 10)
      #expect(try await hosts[1].lists["1"].currentState(.fenced) == Array(1...10))
    }
  }
}

/// What is decided of a standby, without a database.
@Suite(.bounded) struct StandbyMonitorTests {
  private let host = ClusterHost(id: HostID(UUID()), address: "http://host")

  private func view(_ isBehind: Bool) -> ClusterView {
    var view = ClusterView(hosts: [host], term: ClusterTerm(system: "1", timeline: 1))
    view.hasAsynchronousStandby = isBehind
    return view
  }

  @Test(arguments: [false, true])
  func `is reported each time that one is added, and only where not accepted`(
    _ isAccepted: Bool
  ) throws {
    let reports = Log<ClusterReport>()
    var options = ClusterOptions()
    options.acceptsAsynchronousStandby = isAccepted
    options.report = { reports.append($0) }
    let monitor = StandbyMonitor(options)
    for isBehind in [false, true, true, false, true] { monitor.update(view(isBehind), on: host) }
    #expect(reports.count == (isAccepted ? 0 : 2))
    try monitor.check(view(false))
    if isAccepted {
      try monitor.check(view(true))
    } else {
      #expect(throws: ClusterError.self) { try monitor.check(view(true)) }
    }
  }
}
