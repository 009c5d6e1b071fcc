import CoreMetrics
import Synchronization

/// Stores metrics, and formats them for Prometheus.
///
/// Timers and recorders are summaries without quantiles: a sum and a count, from which Prometheus
/// computes rates. Holds: the series, guarded by its own lock.
final class PrometheusMetrics: MetricsFactory {
  enum Kind: String { case counter, gauge, summary }

  private struct Key: Hashable {
    let name: String
    let labels: String
  }

  private let series = Mutex<[Key: Series]>([:])

  func makeCounter(label: String, dimensions: [(String, String)]) -> any CounterHandler {
    find(.counter, label, dimensions)
  }

  func makeFloatingPointCounter(
    label: String, dimensions: [(String, String)]
  ) -> any FloatingPointCounterHandler { find(.counter, label, dimensions) }

  func makeMeter(label: String, dimensions: [(String, String)]) -> any MeterHandler {
    find(.gauge, label, dimensions)
  }

  func makeRecorder(
    label: String, dimensions: [(String, String)], aggregate: Bool
  ) -> any RecorderHandler { find(aggregate ? .summary : .gauge, label, dimensions) }

  func makeTimer(label: String, dimensions: [(String, String)]) -> any TimerHandler {
    find(.summary, "\(label)_seconds", dimensions)
  }

  func destroyCounter(_ handler: any CounterHandler) {}
  func destroyFloatingPointCounter(_ handler: any FloatingPointCounterHandler) {}
  func destroyMeter(_ handler: any MeterHandler) {}
  func destroyRecorder(_ handler: any RecorderHandler) {}
  func destroyTimer(_ handler: any TimerHandler) {}

  private func find(_ kind: Kind, _ label: String, _ dimensions: [(String, String)]) -> Series {
    let name = Self.name(kind == .counter && !label.hasSuffix("_total") ? "\(label)_total" : label)
    let labels = dimensions.map { key, value in "\(Self.name(key))=\"\(Self.quoted(value))\"" }
    let key = Key(name: name, labels: labels.joined(separator: ","))
    return series.withLock { series in
      if let one = series[key] { return one }
      let one = Series(kind)
      series[key] = one
      return one
    }
  }

  /// All metrics, in Prometheus' text format.
  var text: String {
    let all = series.withLock { $0 }.sorted {
      ($0.key.name, $0.key.labels) < ($1.key.name, $1.key.labels)
    }
    var (text, last) = ("", "")
    for (key, one) in all {
      if key.name != last { text += "# TYPE \(key.name) \(one.kind.rawValue)\n" }
      last = key.name
      let labels = key.labels.isEmpty ? "" : "{\(key.labels)}"
      let (value, count) = one.values
      if one.kind == .summary {
        text += "\(key.name)_sum\(labels) \(value)\n\(key.name)_count\(labels) \(count)\n"
      } else {
        text += "\(key.name)\(labels) \(value)\n"
      }
    }
    return text
  }

  private static func name(_ text: String) -> String {
    let name = String(text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
    return name.first?.isNumber == true ? "_\(name)" : name
  }

  private static func quoted(_ text: String) -> String {
    text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
  }
}

/// One series: its sum and its count.
///
/// Holds: both, guarded by its own lock.
private final class Series: CounterHandler, FloatingPointCounterHandler, MeterHandler,
  RecorderHandler, TimerHandler
{
  let kind: PrometheusMetrics.Kind
  private let state = Mutex((value: 0.0, count: 0))

  init(_ kind: PrometheusMetrics.Kind) { self.kind = kind }

  var values: (Double, Int) { state.withLock { $0 } }

  func increment(by amount: Int64) { increment(by: Double(amount)) }
  func increment(by amount: Double) { state.withLock { $0.value += amount } }
  func decrement(by amount: Double) { state.withLock { $0.value -= amount } }
  func set(_ value: Int64) { set(Double(value)) }
  func set(_ value: Double) { state.withLock { $0.value = value } }
  func reset() { state.withLock { $0 = (0, 0) } }
  func record(_ value: Int64) { record(Double(value)) }

  func record(_ value: Double) {
    state.withLock { state in
      state = kind == .gauge ? (value, 1) : (state.value + value, state.count + 1)
    }
  }

  func recordNanoseconds(_ duration: Int64) { record(Double(duration) / 1e9) }
}
