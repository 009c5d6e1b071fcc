import Foundation
import Synchronization
import Testing

@testable import ReactorDistribution

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A network of the tests' own: each host has a namespace and a cable to a switch, whose other end
/// is this machine, and so the database.
///
/// A cable that is pulled out answers nothing: a host that is cut off gets no notice. All of it is
/// removed when this process ends, however it ends.
struct HostNetwork: Sendable {
  /// Whether this process may make one: as root on Linux, where `ip` and `bridge` are installed.
  static let isPermitted: Bool = {
    let name = "rp\(getpid())"
    return run(
      """
      command -v ip && command -v bridge && ip netns add \(name) && ip netns del \(name) \
      && ip link add \(name) type bridge && ip link del \(name)
      """)
  }()

  static let refusal: Comment = "this process may make no network namespaces"
  private static let last = Atomic(0)

  private let name: String
  private let prefix: String
  private let count: Int

  /// This machine's own address in it.
  var center: String { "\(prefix).1" }

  /// - Parameter count: How many hosts there may be.
  /// - Throws: Where it cannot be made.
  init(_ count: Int) throws {
    let number = Self.last.add(1, ordering: .relaxed).newValue
    self.count = count
    name = "r\(getpid() % 1_000_000)x\(number)"
    prefix = "10.231.\((Int(getpid()) + number) % 250)"
    let hosts = (0..<count).map { host in
      """
      ip netns add \(name)h\(host)
      ip link add \(name)h\(host) type veth peer name e0 netns \(name)h\(host)
      ip link set \(name)h\(host) master \(name) up
      ip -n \(name)h\(host) addr add \(address(of: host))/24 dev e0
      ip -n \(name)h\(host) link set e0 up
      ip -n \(name)h\(host) link set lo up

      """
    }
    let output = try PostgresServer.output(
      by: """
        set -e
        ip link add \(name) type bridge
        ip addr add \(center)/24 dev \(name)
        ip link set \(name) up
        \(hosts.joined())
        echo ready
        exec >/dev/null 2>&1
        set +e
        while kill -0 \(getpid()); do sleep 0.5; done
        for host in \((0..<count).map(String.init).joined(separator: " ")); do
          ip netns del \(name)h$host
        done
        ip link del \(name)
        """)
    guard output.hasPrefix("ready") else { throw ClusterError.unusable("the network was not made") }
  }

  func address(of host: Int) -> String { "\(prefix).\(10 + host)" }

  /// The command that runs another in a host's place; its process is the other's.
  func command(in host: Int) -> [String] { ["ip", "netns", "exec", "\(name)h\(host)"] }

  /// Pulls a host's cable out, or plugs it in again.
  func cut(_ host: Int, _ isCut: Bool = true) {
    #expect(Self.run("ip link set \(name)h\(host) \(isCut ? "down" : "up")"))
  }

  /// Lets no host reach another, or all again; this machine they reach as ever.
  func partition(_ isPartitioned: Bool = true) {
    for host in 0..<count {
      #expect(
        Self.run("bridge link set dev \(name)h\(host) isolated \(isPartitioned ? "on" : "off")"))
    }
  }

  private static func run(_ script: String) -> Bool {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/bin/sh")
    process.arguments = ["-c", "{ \(script); } >/dev/null 2>&1"]
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }
}
