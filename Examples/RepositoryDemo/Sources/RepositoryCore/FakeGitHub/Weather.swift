import Synchronization

/// The simulated faults between the service and the fake GitHub.
package enum Weather: String, CaseIterable, Sendable {
  case fine, offline, slow, failing, garbled, limited
}

/// The current fault, which can be switched.
///
/// Holds: the weather, guarded by its own lock.
package final class WeatherStation: Sendable {
  private let current: Mutex<Weather>

  package init(_ weather: Weather = .fine) { current = Mutex(weather) }

  package var weather: Weather {
    get { current.withLock { $0 } }
    set { current.withLock { $0 = newValue } }
  }
}
