public import CoreMetrics
import Reactor
import ReactorRuntime

/// Keeps the metrics of a process in memory, and writes them as text, as Prometheus reads it: for a
/// service that has no other backend.
///
/// ```swift
/// let metrics = TextMetrics()
/// MetricsSystem.bootstrap(metrics)
/// ReactorObservers.add(MetricsObserver(metrics))
/// router.get("metrics") { _, _ in metrics.text }
/// ```
///
/// Of recorders and timers it keeps how many there were, their sum and the highest, no
/// distribution. A metric is kept until it is destroyed, so labels have few values.
///
/// **Runs on** any thread. Holds: `values`, guarded by its own lock; each metric, by one too.
public final class TextMetrics: MetricsFactory {
  private let values = Guarded<[TextMetric.Name: TextMetric]>([:])

  /// No metrics as yet.
  public init() {}

  /// All metrics, by name; a line for each value.
  ///
  /// ```text
  /// # TYPE reactor_actions_total counter
  /// reactor_actions_total{reactor="Room",action="book"} 3
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

  private func forget(_ handler: Any) {
    guard let metric = handler as? TextMetric else { return }
    values.withLock { $0[metric.name] = nil }
  }

  // MARK: What metrics are made by

  /// A counter: `…_total`.
  public func makeCounter(
    label: String, dimensions: [(String, String)]
  ) -> any CounterHandler { metric(.counter, label, dimensions) }

  /// A counter of fractions: `…_total`.
  public func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler { metric(.counter, label, dimensions) }

  /// A value that goes up and down.
  public func makeMeter(
    label: String, dimensions: [(String, String)]
  ) -> any MeterHandler { metric(.gauge, label, dimensions) }

  /// What was recorded: `…_count`, `…_sum`, `…_max`; one that is not aggregated is a value.
  public func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { metric(aggregate ? .summary : .gauge, label, dimensions) }

  /// How long it took, in seconds: `…_seconds_count`, `…_seconds_sum`, `…_seconds_max`.
  public func makeTimer(
    label: String, dimensions: [(String, String)]
  ) -> any TimerHandler { metric(.seconds, label, dimensions) }

  /// Forgets a counter.
  public func destroyCounter(_ handler: any CounterHandler) { forget(handler) }
  /// Forgets a counter.
  public func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {
    forget(handler)
  }
  /// Forgets a meter.
  public func destroyMeter(_ handler: any MeterHandler) { forget(handler) }
  /// Forgets a recorder.
  public func destroyRecorder(_ handler: any RecorderHandler) { forget(handler) }
  /// Forgets a timer.
  public func destroyTimer(_ handler: any TimerHandler) { forget(handler) }
}
