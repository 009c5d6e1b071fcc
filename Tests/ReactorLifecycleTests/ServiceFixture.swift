import InMemoryLogging
import Logging
import Reactor
import ReactorLifecycle
import ServiceLifecycle
import TestSupport

/// A reactor whose every action waits at a gate; cancelled there, it says so.
struct Waiting {
  let gate = Gate()
  let began = Log<Int>()
  let ended = Log<Int>()

  func reactor(_ before: @escaping @Sendable (Int) async -> Void = { _ in }) -> ScriptedReactor {
    let (gate, began, ended) = (gate, began, ended)
    return ScriptedReactor { _, action in
      .run { emit in
        began.append(action)
        await before(action)
        try await gate.wait()
        await emit(action)
        ended.append(action)
      }
    }
  }
}

/// A service group around a service of reactors, with a clock that is turned by hand.
struct ServiceFixture {
  let clock = ManualClock()
  let log = InMemoryLogHandler()

  var logger: Logger { Logger(label: "test") { [log] _ in log } }

  func service(_ parts: any Drainable..., drain: Duration = .steps(5)) -> ReactorService {
    ReactorService(
      parts, drain: drain, clock: clock, logger: logger)
  }

  func group(_ services: any Service...) -> ServiceGroup {
    ServiceGroup(
      configuration: ServiceGroupConfiguration(
        services: services.map {
          .init(service: $0, failureTerminationBehavior: .gracefullyShutdownGroup)
        },
        logger: Logger(label: "group") { _ in SwiftLogNoOpLogHandler() }))
  }

  var warnings: [String] {
    log.entries.filter { $0.level == .warning }.map { "\($0.message)" }
  }
}
