import Logging
import Reactor
import ReactorComposition

// What the page Several reactors shows of stopping a group: compiled, and not run.

private enum SeveralReactorsSamples {
  static func stop(_ app: ReactorGroup<Int>, _ logger: Logger) async {
    for late in await app.stop(.drain, within: .seconds(5)) { logger.warning("\(late)") }
  }
}
