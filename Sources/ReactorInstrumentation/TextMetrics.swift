public import CoreMetrics
import Reactor
import ReactorRuntime

/// A metrics factory that keeps metrics in memory, and writes them as text for Prometheus.
///
/// It is for a service without another metrics backend.
///
/// ```swift
/// let metrics = TextMetrics()
/// MetricsSystem.bootstrap(metrics)
/// ReactorObservers.add(MetricsObserver(metrics))
/// router.get("metrics") { _, _ in metrics.text }
/// ```
///
/// Of recorders and timers it keeps the count, the sum and the maximum, but no distribution. A
/// metric is kept until it is destroyed, so labels should have few values.
///
/// **Runs on** any thread. Holds: `values`, guarded by its own lock. Each metric has a lock of its
/// own.
public final class TextMetrics: MetricsFactory {
  private let values = Guarded<[TextMetric.Name: TextMetric]>([:])

  /// Creates a factory without metrics.
  public init() {}

  /// All metrics, sorted by name, with one line for each value.
  ///
  /// ```text
  /// # TYPE reactor_actions_total counter
  /// reactor_actions_total{reactor="CartReactor",action="add"} 3
  /// ```
  public var text: String {
    var (lines, last) = ([String](), "")
    let all = values.withLock { $0.values.sorted { $0.name < $1.name } }
    for metric in all {
      if metric.name.label != last { lines.append("# TYPE \(metric.heading)") }
      last = metric.name.label
      lines += metric.lines
    }
    return lines.map { $0 + "\n" }.joined()
  }

  private func metric(
    _ kind: TextMetric.Kind, _ label: String, _ dimensions: [(String, String)]
  ) -> TextMetric {
    let name = TextMetric.Name(kind, label, dimensions)
    return values.withLock { values in
      if let metric = values[name] { return metric }
      let metric = TextMetric(name)
      values[name] = metric
      return metric
    }
  }

  private func remove(_ handler: Any) {
    guard let metric = handler as? TextMetric else { return }
    values.withLock { $0[metric.name] = nil }
  }

  // MARK: Factory

  /// Makes a counter: `…_total`.
  public func makeCounter(
    label: String, dimensions: [(String, String)]
  ) -> any CounterHandler { metric(.counter, label, dimensions) }

  /// Makes a counter of fractions: `…_total`.
  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler { metric(.counter, label, dimensions) }

  /// Makes a meter, whose value goes up and down.
  public func makeMeter(
    label: String, dimensions: [(String, String)]
  ) -> any MeterHandler { metric(.gauge, label, dimensions) }

  /// Makes a recorder: `…_count`, `…_sum`, `…_max`; without aggregation, only the last value.
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { metric(aggregate ? .summary : .gauge, label, dimensions) }

  /// Makes a timer, in seconds: `…_seconds_count`, `…_seconds_sum`, `…_seconds_max`.
  public func makeTimer(
    label: String, dimensions: [(String, String)]
  ) -> any TimerHandler { metric(.seconds, label, dimensions) }

  /// Removes a counter.
  public func destroyCounter(_ handler: any CounterHandler) { remove(handler) }
  /// Removes a counter of fractions.
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
    remove(handler)
  }
  /// Removes a meter.
  public func destroyMeter(_ handler: any MeterHandler) { remove(handler) }
  /// Removes a recorder.
  public func destroyRecorder(_ handler: any RecorderHandler) { remove(handler) }
  /// Removes a timer.
  public func destroyTimer(_ handler: any TimerHandler) { remove(handler) }
}
