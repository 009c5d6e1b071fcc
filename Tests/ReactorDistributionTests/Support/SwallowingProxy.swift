import Foundation
import Reactor

@testable import ReactorDistribution

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Stands between a host and its database, and swallows the answer to each n-th append: the server
/// has committed, and the connection is gone.
///
/// Threads of its own wait at the sockets. Holds: `state`, guarded by its own lock.
final class SwallowingProxy: Sendable {
  private struct State: Sendable {
    var appends = 0
    var swallowed = 0
  }

  let port: Int
  private let listener: Int32
  private let target: UInt16
  private let every: Int
  private let state = Guarded(State())

  /// How many answers it has swallowed.
  var swallowed: Int { state.withLock { $0.swallowed } }

  init(to info: String, every: Int) throws {
    let words = info.split(separator: " ").first { $0.hasPrefix("port=") }
    target = words.flatMap { UInt16($0.dropFirst(5)) } ?? 0
    self.every = every
    port = try PostgresServer.freePort()
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let bound = Self.withAddress(UInt16(port)) { bind(listener, $0, $1) }
    guard bound == 0, listen(listener, 64) == 0 else {
      throw ClusterError.unusable("the proxy cannot listen")
    }
    Thread.detachNewThread { [self] in accept() }
  }

  private static func withAddress(
    _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }

  private func accept() {
    while case let client = Glibc.accept(listener, nil, nil), client >= 0 {
      let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      guard Self.withAddress(target, { connect(server, $0, $1) }) == 0 else {
        close(client)
        close(server)
        continue
      }
      let isDoomed = Flag(false)
      Thread.detachNewThread { [self] in
        pump(from: client, to: server) { bytes in
          if Data(bytes).range(of: Data("insert into reactor_journal".utf8)) == nil { return true }
          let isNth = state.withLock { state in
            state.appends += 1
            return state.appends % every == 0
          }
          if isNth { isDoomed.set(true) }
          return true
        }
      }
      Thread.detachNewThread { [self] in
        pump(from: server, to: client) { _ in
          guard isDoomed.value else { return true }
          state.withLock { $0.swallowed += 1 }
          return false
        }
        close(client)
        close(server)
      }
    }
  }

  /// Carries bytes until one side ends, or they are not to be let through.
  private func pump(from source: Int32, to target: Int32, _ lets: ([UInt8]) -> Bool) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = read(source, &buffer, buffer.count), count > 0 {
      guard lets(Array(buffer[..<count])), Self.write(buffer[..<count], to: target) else { break }
    }
    shutdown(source, Int32(SHUT_RDWR))
    shutdown(target, Int32(SHUT_RDWR))
  }

  private static func write(_ bytes: ArraySlice<UInt8>, to target: Int32) -> Bool {
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(target, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// A flag that two threads share.
  private final class Flag: Sendable {
    private let flag: Guarded<Bool>
    init(_ value: Bool) { flag = Guarded(value) }
    var value: Bool { flag.withLock { $0 } }
    func set(_ value: Bool) { flag.withLock { $0 = value } }
  }
}
