import ReactorRuntime
import Synchronization

/// An observer that has been added, with its properties as of then.
final class ObserverEntry: Sendable, Identifiable {
  let observer: any ReactorObserver
  /// Increases in the order in which observers are added.
  let number: UInt64
  let carried: TaskLocals
  let needs: ObserverNeeds
  private let isRemoved = Atomic(false)

  private static let latest = Atomic<UInt64>(0)

  init(_ observer: some ReactorObserver) {
    self.observer = observer
    number = Self.latest.add(1, ordering: .relaxed).newValue
    carried = observer.carried
    needs = carried.isEmpty ? observer.needs : observer.needs.union(.carried)
  }

  /// Whether it needs data that is available only when an action is sent.
  var needsSenderContext: Bool { !needs.isDisjoint(with: .fromSender) }

  /// Whether it is to be notified: reactors that have not read the list since it was removed still
  /// have it.
  var isRegistered: Bool { !isRemoved.load(ordering: .acquiring) }

  func markRemoved() { isRemoved.store(true, ordering: .releasing) }

  /// The union of what several need.
  static func needs(of entries: [ObserverEntry]) -> ObserverNeeds {
    let needs: ObserverNeeds = entries.reduce(into: []) { $0.formUnion($1.needs) }
    return needs.subtracting(.carried)
  }

  /// Those of several that have not been removed, each object once.
  static func distinct(_ entries: [ObserverEntry]) -> [ObserverEntry] {
    var seen: Set<ObjectIdentifier> = []
    return entries.filter { entry in
      guard entry.isRegistered else { return false }
      guard Swift.type(of: entry.observer) is AnyObject.Type else { return true }
      return seen.insert(ObjectIdentifier(entry.observer as AnyObject)).inserted
    }
  }

  /// Delivers a step to those observers that need it.
  ///
  /// Actions that they send meanwhile are marked as sent by an observer that was notified.
  ///
  /// - Parameters:
  ///   - entries: The observers, each object once, in their order.
  ///   - step: The step.
  ///   - need: The need for a step of this kind.
  ///   - depth: The number of observers that led to the step's action.
  static func notify(
    _ entries: [ObserverEntry], _ step: ReactorStep, _ need: ObserverNeeds, depth: Int = 0
  ) {
    for entry in entries where entry.needs.contains(need) && entry.isRegistered {
      if entry.needs.contains(.sends) {
        let inner = max(depth, ObserverDepth.current) + 1
        ObserverDepth.$current.withValue(inner) { entry.observer.observe(step) }
      } else {
        entry.observer.observe(step)
      }
    }
  }
}

extension ObserverEntry {
  /// Delivers a report to observers, where it is detected: on any thread.
  static func notify(
    _ report: ReactorReport, to observers: [ObserverEntry], in reactor: ReactorIdentity
  ) {
    // An observer that sends in response to a refusal would otherwise receive its own refusals for
    // ever.
    if observers.isEmpty || ObserverDepth.current > 1 { return }
    let action = report.action.flatMap { action in
      report.actionNumber.map { ObservedAction(action, number: $0) }
    }
    let step = ReactorStep(.report(report), of: action, in: reactor, at: WorkTime.ticks)
    notify(distinct(observers), step, .reports)
  }
}
