import Foundation
import Hummingbird
import Logging
import Reactor
import ReactorHummingbird
import ReactorLifecycle
import ReactorRuntime
import ServiceLifecycle
import UnixSignals

/// What `Benchmarks/service.py` measures.
///
/// - `serve [observer]`: both services in one process, each on a port that it prints.
/// - `live CLIENTS STATES PORT`: looks at one room's state with so many clients, and says how late
///   and in how many bytes they get it.
/// - `rooms COUNT bare|reactors`: makes so many rooms, and says what they weigh.
@main
struct ServiceBench {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    switch (arguments.first, arguments.dropFirst().map { Int($0) ?? 0 }) {
    case ("serve", _): try await serve(isObserved: arguments.last == "observer")
    case ("live", let numbers) where numbers.count == 3:
      try await LiveClients(numbers[0], port: numbers[2]).run(states: numbers[1])
    case ("rooms", let numbers) where numbers.count == 2:
      try await RoomWeights(count: numbers[0]).weigh(arguments[2])
    default: say("serve [observer] | live CLIENTS STATES PORT | rooms COUNT bare|reactors")
    }
  }

  /// A line, at once.
  static func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }

  private static func serve(isObserved: Bool) async throws {
    if isObserved { ReactorObservers.add(CountingObserver()) }
    let rooms = ReactorRooms()
    let reactors = ReactorService(rooms.rooms, logger: .silent)
    let bare = Application(
      router: BareService().router(), configuration: .anyPort,
      onServerRunning: { say("bare \($0.localAddress?.port ?? 0)") }, logger: .silent)
    let served = Application(
      router: rooms.router(), server: .http1(serving: reactors), configuration: .anyPort,
      onServerRunning: { say("reactors \($0.localAddress?.port ?? 0)") }, logger: .silent)
    try await ServiceGroup(
      services: [reactors, bare, served], gracefulShutdownSignals: [.sigterm], logger: .silent
    ).run()
  }
}

/// What an observer costs that does next to nothing.
final class CountingObserver: ReactorObserver {
  private let count = Guarded(0)
  let needs = ObserverNeeds.steps
  func observe(_ step: ReactorStep) { count.withLock { $0 += 1 } }
}

extension ApplicationConfiguration {
  static var anyPort: Self { Self(address: .hostname("127.0.0.1", port: 0), backlog: 4096) }
}

extension Logger {
  static var silent: Logger { Logger(label: "silent") { _ in SwiftLogNoOpLogHandler() } }
}
