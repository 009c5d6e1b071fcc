public import CustomDump
public import Reactor

/// The pulses in a state, by their position: `alert`, `items[2].alert`.
///
/// A pulse that fires with the value it already had is equal to its previous value; only its ticket
/// differs. Tickets are counted for the whole process. So a pulse has fired since a state if its
/// ticket is newer than all tickets in that state, even if the pulse was moved meanwhile. Pulses in
/// sets and in objects are not found.
struct PulseFirings {
  private struct Firing {
    let ticket: UInt64
    let value: Any
  }

  private var pulses: [String: Firing] = [:]

  /// - Parameter state: The state to search for pulses.
  init(in state: Any) {
    // If no pulse has fired in the process yet, there is nothing to search for.
    guard PulseTickets.latest > 0 else { return }
    walk(state, at: "")
  }

  private mutating func walk(_ value: Any, at place: String) {
    if let pulse = value as? any AnyPulse {
      pulses[place] = Firing(ticket: pulse.ticket, value: value)
    }
    let mirror = Mirror(reflecting: value)
    switch mirror.displayStyle {
    case .struct, .tuple, .enum:
      for (index, child) in mirror.children.enumerated() {
        walk(child.value, at: Self.join(place, child.label ?? "\(index)"))
      }
    case .optional:
      for child in mirror.children { walk(child.value, at: place.isEmpty ? "" : "\(place)?") }
    case .collection:
      for (index, child) in mirror.children.enumerated() {
        // Numbers and similar values: if the first element has no children, no element has.
        if index == 0, Mirror(reflecting: child.value).displayStyle == nil,
          !(child.value is any AnyPulse)
        {
          break
        }
        walk(child.value, at: "\(place)[\(index)]")
      }
    case .dictionary:
      for child in mirror.children {
        guard let pair = child.value as? (key: AnyHashable, value: Any) else { continue }
        walk(pair.value, at: "\(place)[\(String(customDumping: pair.key.base))]")
      }
    default: break
    }
  }

  private static func join(_ place: String, _ label: String) -> String {
    // A wrapped property is stored under its name with a leading underscore.
    let name = label.hasPrefix("_") ? String(label.dropFirst()) : label
    return place.isEmpty ? name : "\(place).\(name)"
  }

  /// The positions of the pulses that have fired since an earlier state.
  private func newer(than before: PulseFirings) -> Set<String> {
    let latest = before.pulses.values.map(\.ticket).max() ?? 0
    return Set(pulses.filter { $0.value.ticket > latest }.keys)
  }

  // MARK: Comparing

  /// Compares the pulses that have fired with those that a closure has fired; `nil` if they are the
  /// same.
  static func difference<State>(
    from before: State, expected: State, actual: State
  ) -> String? {
    let (before, expected, actual) = (
      PulseFirings(in: before), PulseFirings(in: expected), PulseFirings(in: actual)
    )
    let (toFire, fired) = (expected.newer(than: before), actual.newer(than: before))
    let texts =
      fired.subtracting(toFire).sorted().map { place in
        "pulse '\(place)' fired unexpectedly; assign it in the closure, even if its value stays "
          + "the same: $0.\(place) = \(actual.text(at: place))"
      } + missing(toFire.subtracting(fired))
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }

  /// The pulses that a closure has fired and that did not fire; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - before: The state before.
  ///   - actual: The state now.
  ///   - stated: The state now, after the closure.
  /// - Returns: The problem.
  static func missing<State>(from before: State, actual: State, stated: State) -> String? {
    let (before, actual, stated) = (
      PulseFirings(in: before), PulseFirings(in: actual), PulseFirings(in: stated)
    )
    let texts = missing(stated.newer(than: actual).subtracting(actual.newer(than: before)))
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }

  private static func missing(_ places: Set<String>) -> [String] {
    places.sorted().map { place in
      "pulse '\(place)' was expected to fire, and did not; assign it in reduce, or not in "
        + "the closure"
    }
  }

  /// The pulses that have fired between two states, in words; `nil` if none has.
  static func summary<State>(from before: State, to after: State) -> String? {
    let fired = PulseFirings(in: after).newer(than: PulseFirings(in: before)).sorted()
    guard !fired.isEmpty else { return nil }
    return fired.map { "pulse '\($0)'" }.joined(separator: ", ") + " fired"
  }

  private func text(at place: String) -> String {
    let text = pulses[place].map { String(customDumping: $0.value) } ?? ""
    return text.contains("\n") ? "…" : text
  }
}

extension Pulse: CustomDumpRepresentable {
  /// The value, so that a difference shows it without the pulse around it.
  public var customDumpValue: Any { wrappedValue }
}
