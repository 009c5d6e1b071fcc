import ReactorRuntime
import Synchronization

/// An observer that has been added, and what it has said of itself then.
final class ObserverEntry: Sendable, Identifiable {
  let observer: any ReactorObserver
  /// Counts up in the order in which observers are added.
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

  /// Whether it needs what only whoever sends an action can find out.
  var asksSenders: Bool { !needs.isDisjoint(with: .ofSenders) }

  /// Whether it is to be told: reactors that have not looked since it was removed still know it.
  var isThere: Bool { !isRemoved.load(ordering: .acquiring) }

  func leave() { isRemoved.store(true, ordering: .releasing) }

  /// What several need, all in all.
  static func needs(of entries: [ObserverEntry]) -> ObserverNeeds {
    let needs: ObserverNeeds = entries.reduce(into: []) { $0.formUnion($1.needs) }
    return needs.subtracting(.carried)
  }

  /// Those of several that are there, each object once.
  static func distinct(_ entries: [ObserverEntry]) -> [ObserverEntry] {
    var seen: Set<ObjectIdentifier> = []
    return entries.filter { entry in
      guard entry.isThere else { return false }
      guard Swift.type(of: entry.observer) is AnyObject.Type else { return true }
      return seen.insert(ObjectIdentifier(entry.observer as AnyObject)).inserted
    }
  }

  /// Tells some observers of a step, those that need it.
  ///
  /// What they send is known to have been sent by one that was told.
  ///
  /// - Parameters:
  ///   - entries: The observers, each object once, in their order.
  ///   - step: The step.
  ///   - need: What a step of this kind is needed for.
  ///   - depth: How many observers led to the action that it is of.
  static func tell(
    _ entries: [ObserverEntry], _ step: ReactorStep, _ need: ObserverNeeds, depth: Int = 0
  ) {
    for entry in entries where entry.needs.contains(need) && entry.isThere {
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
  /// Tells observers of a report, where it is noticed: on any thread.
  static func tell(
    _ report: ReactorReport, to observers: [ObserverEntry], in reactor: ReactorIdentity
  ) {
    // One that sends for what was refused would be told of its own refusal for ever.
    if observers.isEmpty || ObserverDepth.current > 1 { return }
    let action = report.action.flatMap { action in
      report.actionNumber.map { ObservedAction(action, number: $0) }
    }
    let step = ReactorStep(.report(report), of: action, in: reactor, at: WorkTime.ticks)
    tell(distinct(observers), step, .reports)
  }
}
