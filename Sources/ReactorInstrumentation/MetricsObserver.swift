public import CoreMetrics
import Metrics
public import Reactor
import ReactorRuntime

/// Counts and times the steps of the observed reactors, and reports them to swift-metrics.
///
/// ```swift
/// ReactorObservers.add(MetricsObserver())
/// ```
///
/// | metric | kind | labels |
/// |---|---|---|
/// | `reactor.actions` | counter: taken | `reactor`, `action` |
/// | `reactor.mutations` | counter: reduced | `reactor`, `mutation` |
/// | `reactor.failures` | counter: effects that failed, not declined | `reactor`, `action` |
/// | `reactor.problems` | counter: what was reported | `reactor`, `reason` |
/// | `reactor.live` | meter: reactors | `reactor` |
/// | `reactor.effects.running` | meter: effects | `reactor` |
/// | `reactor.lanes.waiting` | meter: actions | `reactor` |
/// | `reactor.inbox.depth` | recorder: how many wait behind the one that is taken | `reactor` |
/// | `reactor.inbox.waited` | timer | `reactor` |
/// | `reactor.lane.waited` | timer | `reactor` |
/// | `reactor.effect.took` | timer: from begun to ended | `reactor`, `action` |
/// | `reactor.action.took` | timer: from taken to ended | `reactor`, `action`, `outcome` |
///
/// An effect that throws an `ExpectedError` has declined, not failed. The `outcome` of its action
/// says so.
///
/// If the observer is removed while work is running, it does not receive the end of that work. Its
/// meters continue to count the work as running or waiting, and the reactors as live. To count
/// anew, add another observer.
///
/// A label is the type of a reactor, the name of an enum case, or a word of a short list. It is
/// never an identifier or a value, so the number of metrics is limited by the names in the source
/// of the program.
public final class MetricsObserver: ReactorObserver {
  private struct Name: Hashable {
    let label: StaticLabel
    let reactor: ObjectIdentifier
    var first = ""
    var second = ""
  }

  private enum StaticLabel: String {
    case actions = "reactor.actions"
    case mutations = "reactor.mutations"
    case failures = "reactor.failures"
    case problems = "reactor.problems"
    case live = "reactor.live"
    case effects = "reactor.effects.running"
    case lanes = "reactor.lanes.waiting"
    case depth = "reactor.inbox.depth"
    case inbox = "reactor.inbox.waited"
    case lane = "reactor.lane.waited"
    case effect = "reactor.effect.took"
    case action = "reactor.action.took"
  }

  private struct Instruments: Sendable {
    var counters: [Name: Counter] = [:]
    var meters: [Name: Meter] = [:]
    var recorders: [Name: Recorder] = [:]
    var timers: [Name: CoreMetrics.Timer] = [:]
    /// The actions that wait in lanes; an action that ends before it has begun also leaves its
    /// lane.
    var waiting: Set<WaitingAction> = []
    /// The reactors that have started and have not been released, counted once if they start again.
    var live: Set<UInt64> = []
  }

  private struct WaitingAction: Hashable {
    let reactor: UInt64
    let action: ActionNumber
  }

  private let instruments = Guarded(Instruments())
  private let factory: any MetricsFactory

  /// Creates an observer that counts.
  ///
  /// - Parameter factory: The metrics factory; by default that of the process.
  public init(_ factory: any MetricsFactory = MetricsSystem.factory) { self.factory = factory }

  /// All steps except outputs, and the times.
  public var needs: ObserverNeeds {
    [.actions, .effects, .mutations, .reports, .lifecycle, .times]
  }

  /// Counts a step.
  ///
  /// - Parameter step: The step.
  public func observe(_ step: ReactorStep) {
    switch step.kind {
    case .started:
      let isNew = instruments.withLock { $0.live.insert(step.reactor.number).inserted }
      if isNew { meter(.live, step).increment() }
    case .released:
      let wasThere = instruments.withLock { $0.live.remove(step.reactor.number) != nil }
      if wasThere { meter(.live, step).decrement() }
    case .taken(let waited, let depth):
      counter(.actions, step, "action", step.action?.name).increment()
      recorder(.depth, step).record(depth)
      if let waited { timer(.inbox, step).recordNanoseconds(waited.nanoseconds) }
    case .waiting: enterLane(step)
    case .begun(let waited):
      if let waited { timer(.lane, step).recordNanoseconds(waited.nanoseconds) }
      leaveLane(step)
    case .effectBegun: meter(.effects, step).increment()
    case .effectEnded(_, let end, let took):
      meter(.effects, step).decrement()
      let name = Name(
        label: .effect, reactor: ObjectIdentifier(step.reactor.type),
        first: step.action?.name ?? "")
      timer(name, ("reactor", "\(step.reactor.type)"), ("action", name.first))
        .recordNanoseconds((took ?? .zero).nanoseconds)
      if case .failed(let error) = end, !(error is any ExpectedError) {
        counter(.failures, step, "action", step.action?.name).increment()
      }
    case .reduced(let transition):
      counter(.mutations, step, "mutation", ReportText.name(of: transition.mutation)).increment()
    case .report(let report):
      counter(.problems, step, "reason", ReportText.name(of: report.problem)).increment()
    case .ended(let outcome, let took):
      leaveLane(step)
      let name = Name(
        label: .action, reactor: ObjectIdentifier(step.reactor.type),
        first: step.action?.name ?? "", second: outcome.text)
      timer(
        name, ("reactor", "\(step.reactor.type)"), ("action", name.first), ("outcome", name.second)
      ).recordNanoseconds((took ?? .zero).nanoseconds)
    case .intoHook, .output, .stopping, .stopped, .durable: break
    }
  }

  // MARK: Lanes

  private func enterLane(_ step: ReactorStep) {
    guard let action = step.action else { return }
    let waiting = WaitingAction(reactor: step.reactor.number, action: action.number)
    guard instruments.withLock({ $0.waiting.insert(waiting).inserted }) else { return }
    meter(.lanes, step).increment()
  }

  private func leaveLane(_ step: ReactorStep) {
    guard let action = step.action else { return }
    let waiting = WaitingAction(reactor: step.reactor.number, action: action.number)
    guard instruments.withLock({ $0.waiting.remove(waiting) != nil }) else { return }
    meter(.lanes, step).decrement()
  }

  // MARK: Metrics, each made once

  private func counter(
    _ label: StaticLabel, _ step: ReactorStep, _ key: String, _ value: String?
  ) -> Counter {
    let name = Name(
      label: label, reactor: ObjectIdentifier(step.reactor.type), first: value ?? "")
    return instruments.withLock { instruments in
      if let counter = instruments.counters[name] { return counter }
      let counter = Counter(
        label: label.rawValue,
        dimensions: [("reactor", "\(step.reactor.type)"), (key, name.first)], factory: factory)
      instruments.counters[name] = counter
      return counter
    }
  }

  private func meter(_ label: StaticLabel, _ step: ReactorStep) -> Meter {
    let name = Name(label: label, reactor: ObjectIdentifier(step.reactor.type))
    return instruments.withLock { instruments in
      if let meter = instruments.meters[name] { return meter }
      let meter = Meter(
        label: label.rawValue, dimensions: [("reactor", "\(step.reactor.type)")], factory: factory)
      instruments.meters[name] = meter
      return meter
    }
  }

  private func recorder(_ label: StaticLabel, _ step: ReactorStep) -> Recorder {
    let name = Name(label: label, reactor: ObjectIdentifier(step.reactor.type))
    return instruments.withLock { instruments in
      if let recorder = instruments.recorders[name] { return recorder }
      let recorder = Recorder(
        label: label.rawValue, dimensions: [("reactor", "\(step.reactor.type)")], aggregate: true,
        factory: factory)
      instruments.recorders[name] = recorder
      return recorder
    }
  }

  private func timer(_ label: StaticLabel, _ step: ReactorStep) -> CoreMetrics.Timer {
    timer(
      Name(label: label, reactor: ObjectIdentifier(step.reactor.type)),
      ("reactor", "\(step.reactor.type)"))
  }

  private func timer(_ name: Name, _ dimensions: (String, String)...) -> CoreMetrics.Timer {
    instruments.withLock { instruments in
      if let timer = instruments.timers[name] { return timer }
      let timer = CoreMetrics.Timer(
        label: name.label.rawValue, dimensions: dimensions, factory: factory)
      instruments.timers[name] = timer
      return timer
    }
  }
}

extension Duration {
  fileprivate var nanoseconds: Int64 { Int64(self / .nanoseconds(1)) }
}
