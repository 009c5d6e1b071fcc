import Dispatch
import Foundation
import Reactor
import ReactorRuntime

@testable import ReactorDistribution

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A proxy between a host and its database: swallows the answer to each n-th append, so that the
/// server has committed and the connection is gone; cuts all connections; lets answers wait.
///
/// Threads of its own wait at the sockets. Holds: `state`, guarded by its own lock.
final class PostgresProxy: Sendable {
  private struct State: Sendable {
    var appends = 0
    var swallowed = 0
    var delay = Duration.zero
    var onAppend: (@Sendable (_ number: Int) -> Void)?
    /// The sockets that are open.
    var pairs: [Int32: Int32] = [:]
  }

  /// Where it is, as libpq has it.
  let info: String
  private let listener: Int32
  private let target: UInt16
  private let every: Int
  private let state = Guarded(State())

  /// How many answers it has swallowed.
  var swallowed: Int { state.withLock { $0.swallowed } }

  /// - Parameters:
  ///   - info: Where the server is.
  ///   - every: Which answers to appends are swallowed: each so-many-th.
  ///   - address: Where it listens, and is found.
  /// - Throws: Where it cannot listen.
  init(
    to info: String, swallowingEvery every: Int = .max, at address: String = "127.0.0.1"
  ) throws {
    guard let word = info.split(separator: " ").first(where: { $0.hasPrefix("port=") }),
      let target = UInt16(word.dropFirst(5))
    else { throw ClusterError.unusable("no port in '\(info)'") }
    (self.target, self.every) = (target, every)
    let port = try PostgresServer.freePort()
    self.info = info.replacing(word, with: "port=\(port)")
      .replacing("host=127.0.0.1", with: "host=\(address)")
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    let bound = Self.withAddress(UInt16(port), at: address) { bind(listener, $0, $1) }
    guard bound == 0, listen(listener, 64) == 0 else {
      throw ClusterError.unusable("the proxy cannot listen")
    }
    Thread.detachNewThread { [self] in accept() }
  }

  /// Cuts every connection there is.
  func cut() {
    state.withLock { state in
      for (client, server) in state.pairs {
        shutdown(client, Int32(SHUT_RDWR))
        shutdown(server, Int32(SHUT_RDWR))
      }
    }
  }

  /// Lets each answer wait for so long.
  func slow(by delay: Duration) { state.withLock { $0.delay = delay } }

  /// Has something called before the n-th append goes on to the server.
  func onAppend(_ body: @escaping @Sendable (_ number: Int) -> Void) {
    state.withLock { $0.onAppend = body }
  }

  private static func withAddress(
    _ port: UInt16, at place: String = "127.0.0.1",
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(place)
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
      state.withLock { $0.pairs[client] = server }
      let dropsNextAnswer = Guarded(false)
      let asking = DispatchSemaphore(value: 0)
      Thread.detachNewThread { [self] in
        // The names under which this connection has prepared statements that append.
        var names: [Data] = []
        pump(from: client, to: server) { bytes in
          if noteAppend(Data(bytes), &names) { dropsNextAnswer.withLock { $0 = true } }
          return true
        }
        asking.signal()
      }
      Thread.detachNewThread { [self] in
        pump(from: server, to: client) { _ in forwards(dropsNextAnswer.withLock { $0 }) }
        // Both have ended: the sockets are not used any more.
        asking.wait()
        state.withLock { state in
          state.pairs[client] = nil
          close(client)
          close(server)
        }
      }
    }
  }

  /// Looks what a host says: a `Parse` gives a statement a name, ended by a NUL, a `Bind` uses it.
  ///
  /// - Returns: Whether the answer is to be swallowed.
  private func noteAppend(_ bytes: Data, _ names: inout [Data]) -> Bool {
    if bytes.range(of: Data("insert into reactor_journal".utf8)) != nil {
      names.append(Data([0]) + bytes.dropFirst(5).prefix { $0 != 0 } + Data([0]))
      return false
    }
    guard names.contains(where: { bytes.range(of: $0) != nil }) else { return false }
    let (number, body) = state.withLock { state in
      state.appends += 1
      return (state.appends, state.onAppend)
    }
    body?(number)
    return number.isMultiple(of: every)
  }

  private func forwards(_ dropsNextAnswer: Bool) -> Bool {
    let delay = state.withLock { $0.delay }
    if delay > .zero { usleep(UInt32(delay / .microseconds(1))) }
    guard dropsNextAnswer else { return true }
    state.withLock { $0.swallowed += 1 }
    return false
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
}
