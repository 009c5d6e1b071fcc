import CoreMetrics
import Reactor
import ReactorRuntime

/// One metric of ``TextMetrics``, of any kind.
///
/// Holds: `state`, guarded by its own lock.
final class TextMetric: Sendable {
  enum Kind: Sendable { case counter, gauge, summary, seconds }

  /// The name as text, one for each combination of labels.
  struct Name: Hashable, Comparable, Sendable {
    let label: String
    let dimensions: String
    let kind: Kind

    init(_ kind: Kind, _ label: String, _ dimensions: [(String, String)]) {
      let ending =
        switch kind {
        case .counter: "_total"
        case .seconds: "_seconds"
        case .gauge, .summary: ""
        }
      self.kind = kind
      self.label = Self.plain(label) + ending
      let pairs = dimensions.map { "\(Self.plain($0))=\"\(Self.escaped($1))\"" }
      self.dimensions = pairs.isEmpty ? "" : "{\(pairs.joined(separator: ","))}"
    }

    static func < (one: Self, other: Self) -> Bool {
      (one.label, one.dimensions) < (other.label, other.dimensions)
    }

    /// Returns a text of alphanumeric characters and underscores that begins with no digit.
    private static func plain(_ text: String) -> String {
      let plain = String(
        text.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "_" })
      return plain.first?.isNumber == true ? "_" + plain : plain
    }

    /// Escapes by Unicode scalars: a quotation mark with a combining mark is another character in
    /// Swift, but Prometheus still reads the quotation mark.
    private static func escaped(_ text: String) -> String {
      text.unicodeScalars.reduce(into: "") { escaped, scalar in
        switch scalar {
        case "\\": escaped += "\\\\"
        case "\"": escaped += "\\\""
        case _ where Character(scalar).isNewline: escaped += "\\n"
        default: escaped.unicodeScalars.append(scalar)
        }
      }
    }
  }

  private struct State: Sendable {
    var count = 0
    var sum = 0.0
    var highest = -Double.infinity
  }

  private let state = Guarded(State())
  let name: Name

  init(_ name: Name) { self.name = name }

  var heading: String {
    switch name.kind {
    case .counter: "\(name.label) counter"
    case .gauge: "\(name.label) gauge"
    case .summary, .seconds: "\(name.label) summary"
    }
  }

  var lines: [String] {
    let state = state.withLock { $0 }
    guard name.kind == .summary || name.kind == .seconds else {
      return ["\(name.label)\(name.dimensions) \(Self.number(state.sum))"]
    }
    return [("count", Double(state.count)), ("sum", state.sum), ("max", state.highest)]
      .filter { $1.isFinite }
      .map { "\(name.label)_\($0)\(name.dimensions) \(Self.number($1))" }
  }

  private static func number(_ value: Double) -> String {
    Int64(exactly: value).map { "\($0)" } ?? "\(value)"
  }

  fileprivate func add(_ value: Double) {
    state.withLock { state in
      state.count += 1
      state.sum += value
      state.highest = max(state.highest, value)
    }
  }

  fileprivate func setValue(_ value: Double) { state.withLock { $0.sum = value } }
}

extension TextMetric: CounterHandler, FloatingPointCounterHandler, MeterHandler {
  func increment(by amount: Int64) { add(Double(amount)) }
  func increment(by amount: Double) { add(amount) }
  func decrement(by amount: Double) { add(-amount) }
  func set(_ value: Int64) { setValue(Double(value)) }
  func set(_ value: Double) { setValue(value) }
  func reset() { state.withLock { $0 = State() } }
}

extension TextMetric: RecorderHandler, TimerHandler {
  func record(_ value: Int64) { record(Double(value)) }
  func record(_ value: Double) { if name.kind == .gauge { setValue(value) } else { add(value) } }
  func recordNanoseconds(_ duration: Int64) { add(Double(duration) / 1e9) }
}
