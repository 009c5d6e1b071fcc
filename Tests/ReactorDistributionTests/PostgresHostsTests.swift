import Foundation
import Reactor
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Connection strings that name several hosts, some of which say nothing.
@Suite(.bounded) struct PostgresHostsTests {
  @Test func `each host of a connection string is tried by itself`() {
    #expect(
      PostgresHosts("host=a,b port=1,2 dbname=x").settings
        == [["host": "a", "port": "1"], ["host": "b", "port": "2"]])
    #expect(
      PostgresHosts("host=a,b port=1").settings
        == [["host": "a", "port": "1"], ["host": "b", "port": "1"]])
    #expect(
      PostgresHosts("postgresql://u@a:1,b:2/x").settings
        == [["host": "a", "port": "1"], ["host": "b", "port": "2"]])
    #expect(
      PostgresHosts("hostaddr=127.0.0.1,127.0.0.2 host=a,b").settings
        == [["host": "a", "hostaddr": "127.0.0.1"], ["host": "b", "hostaddr": "127.0.0.2"]])
  }

  @Test(arguments: ["", "host=a port=1", "dbname=x", "no connection string"])
  func `one host is left to libpq`(_ info: String) {
    #expect(PostgresHosts(info).settings == [[:]])
  }

  /// A socket that accepts connections, and never answers.
  private final class SilentServer: Sendable {
    let port: Int
    private let listener: Int32

    init() throws {
      port = try PostgresServer.freePort()
      listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      var address = sockaddr_in()
      address.sin_family = sa_family_t(AF_INET)
      address.sin_port = UInt16(port).bigEndian
      address.sin_addr.s_addr = inet_addr("127.0.0.1")
      let bound = withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
          bind(listener, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
        }
      }
      guard bound == 0, listen(listener, 8) == 0 else {
        throw ClusterError.unusable("the silent server cannot listen")
      }
    }

    deinit { close(listener) }
  }

  @Test(.enabled(if: PostgresServer.isInstalled, PostgresServer.missing))
  func `a host that accepts a connection and never answers does not block the next`()
    async throws
  {
    let silent = try SilentServer()
    let info = try await PostgresServer.shared.info
    let word = try #require(info.split(separator: " ").first { $0.hasPrefix("port=") })
    let both = info.replacing("host=127.0.0.1", with: "host=127.0.0.1,127.0.0.1")
      .replacing(word, with: "port=\(silent.port),\(word.dropFirst(5))")
    let pool = PostgresPool(both, count: 1, timeout: .seconds(10)) { _ in }
    defer { pool.close() }
    #expect(try await pool.run { try $0.query("select 1").rows } == [["1"]])
  }

  @Test func `where no host answers, each is reported, within one time limit`() throws {
    let silent = try SilentServer()
    let info = "host=127.0.0.1,127.0.0.1,127.0.0.1 port=\(silent.port) user=x"
    let error = #expect(throws: PostgresError.self) {
      try PostgresConnection.open(info, timeout: .milliseconds(300))
    }
    guard case .lost(let reasons) = error else { return #expect(Bool(false)) }
    #expect(reasons.split(separator: ";").count == 3)
  }

  @Test func `a blocking call is not waited for, and its late result is released`() throws {
    final class Late: Sendable {
      let gone: DispatchSemaphore
      init(_ gone: DispatchSemaphore) { self.gone = gone }
      deinit { gone.signal() }
    }
    let (answer, gone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    // A name server that does not answer.
    #expect(throws: PostgresError.self) {
      try Blocking.run(within: .milliseconds(50)) { () -> Late in
        answer.wait()
        return Late(gone)
      }
    }
    answer.signal()
    gone.wait()
  }
}
