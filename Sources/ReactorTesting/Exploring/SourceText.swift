import Reactor
import ReactorRuntime

/// Values as source: what a test that is printed contains.
enum SourceText {
  /// Returns the source of a value: an enum's case with a leading point, a struct by its
  /// memberwise initializer.
  ///
  /// A value of another kind, such as an object, is a comment, which does not compile.
  static func of(_ value: Any) -> String {
    let mirror = Mirror(reflecting: value)
    // A cast would look into an optional.
    if mirror.displayStyle != .optional, let text = plain(value) { return text }
    let children = mirror.children.map { (label: $0.label, text: of($0.value)) }
    switch mirror.displayStyle {
    case .optional: return children.first?.text ?? "nil"
    case .collection, .set: return "[" + children.map(\.text).joined(separator: ", ") + "]"
    case .dictionary:
      let pairs = mirror.children.map { pair in
        Mirror(reflecting: pair.value).children.map { of($0.value) }.joined(separator: ": ")
      }
      return pairs.isEmpty ? "[:]" : "[" + pairs.sorted().joined(separator: ", ") + "]"
    case .tuple: return "(" + list(children) + ")"
    case .struct: return "\(type(of: value))(" + list(children) + ")"
    case .enum: return enumCase(value, mirror)
    default: return "/* \(value) */"
    }
  }

  private static func plain(_ value: Any) -> String? {
    switch value {
    case let text as String: return text.debugDescription
    case let character as Character: return String(character).debugDescription
    case let duration as Duration: return of(duration)
    case is any BinaryInteger, is any BinaryFloatingPoint, is Bool: return "\(value)"
    default: break
    }
    let type = String(reflecting: type(of: value))
    return type.hasPrefix("Foundation") && type.hasSuffix(".UUID")
      ? "UUID(uuidString: \"\(value)\")!" : nil
  }

  private static func enumCase(_ value: Any, _ mirror: Mirror) -> String {
    guard let name = EnumCase.name(of: value) else { return "/* \(value) */" }
    guard let payload = mirror.children.first?.value else { return ".\(name)" }
    let inner = Mirror(reflecting: payload)
    guard inner.displayStyle == .tuple else { return ".\(name)(\(of(payload)))" }
    return ".\(name)(" + list(inner.children.map { ($0.label, of($0.value)) }) + ")"
  }

  /// A list of arguments; a label that the compiler made, such as `.0`, is left out.
  private static func list(_ children: [(label: String?, text: String)]) -> String {
    children.map { label, text in
      guard let label, !label.hasPrefix(".") else { return text }
      return "\(label): \(text)"
    }.joined(separator: ", ")
  }

  /// Returns the source of a duration, in the largest unit that has no fraction.
  static func of(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    if attoseconds == 0 { return ".seconds(\(seconds))" }
    let nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    if nanoseconds.isMultiple(of: 1_000_000) { return ".milliseconds(\(nanoseconds / 1_000_000))" }
    return nanoseconds.isMultiple(of: 1_000)
      ? ".microseconds(\(nanoseconds / 1_000))" : ".nanoseconds(\(nanoseconds))"
  }
}
