import Logging
import Reactor
import ReactorInstrumentation

// What the page Seeing what happens shows of whole processes: compiled, and not run.

private enum ObserverSamples {
  struct Printer: ReactorObserver {
    func observe(_ step: ReactorStep) { print(step) }
  }

  static func observe() {
    let registration = ReactorObservers.add(Printer())
    _ = registration
  }

  static func observeSlowly() {
    let buffered = BufferedObserver(Printer(), atMost: 10_000)
    ReactorObservers.add(buffered)
  }

  static func observeByProducts(_ logger: Logger) {
    ReactorObservers.add(LoggingObserver(logger))
    ReactorObservers.add(MetricsObserver())
    ReactorObservers.add(TracingObserver())
    ReactorReports.setHandler { _ in }
  }

  enum Request { @TaskLocal static var id = "none" }

  struct Requests: ReactorObserver {
    var carried: TaskLocals { TaskLocals(Request.$id) }

    func observe(_ step: ReactorStep) {}

    func values(for step: ReactorStep) -> TaskLocalValues {
      guard case .effectBegun(let number) = step.kind else { return .none }
      return TaskLocalValues(Request.$id, "\(Request.id)/effect \(number)")
    }
  }
}
