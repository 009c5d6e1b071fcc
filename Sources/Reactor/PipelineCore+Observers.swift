public import Synchronization

/// The observers of the reactor, which one sink stands for.
extension PipelineCore {
  typealias Observers = ObserverSink<R.Action, R.Mutation, R.State, R.Output>

  /// Adds the observers' sink, brings it up to date, or removes it, where observers have come or
  /// gone since this was last looked at.
  @inlinable
  func followObservers(on reactor: isolated R) {
    let version = ReactorObservers.version.load(ordering: .acquiring)
    if own.details?.pointee.observersVersion != version { followNow(version, on: reactor) }
  }

  @usableFromInline
  func followNow(_ version: UInt64, on reactor: isolated R) {
    details.observersVersion = version
    let entries = observers
    let needs = ObserverSink<R.Action, R.Mutation, R.State, R.Output>.needs(of: entries)
    guard let sink = details.observers ?? (needs.isEmpty ? nil : addObservers()) else { return }
    sink.observed.renew(entries, state: own.state)
    if needs.isEmpty { removeObserverSink() }
    watchStates(on: reactor)
  }

  private func addObservers() -> Observers {
    let sink = Observers(
      ObservedReactor(identity, beginsAtOnce: !Self.mayBeginLater),
      replacesActions: Self.hasActionHook
    ) { [weak self] in self?.report(.observationCycle, $0, $1) }
    details.observers = sink
    own.around.insert(.observers)
    // First, so that the observers are told of a report before a test is.
    setSinks([sink] + (details.sinks?.all ?? []))
    return sink
  }

  private func removeObserverSink() {
    guard let sink = details.observers.take() else { return }
    own.around.remove(.observers)
    setSinks((details.sinks?.all ?? []).filter { $0 !== sink })
  }

  private var observers: [ObserverEntry] {
    let own = shared.withLock { $0.rare.observers.all }
    return ReactorObservers.entries(of: R.self) + own
  }

  /// The last observer of the process has gone: what was kept for it goes, too.
  @usableFromInline
  func forgetObservers(on reactor: isolated R) {
    details.observersVersion = nil
    removeObserverSink()
    watchStates(on: reactor)
  }

  /// Tells the observers of a report, where it is noticed: on any thread.
  @usableFromInline
  func observeReport(_ report: ReactorReport) {
    // One that sends for what was refused would be told of its own refusal for ever.
    let observers = observers
    if observers.isEmpty || ObserverDepth.current > 1 { return }
    let action = report.action.flatMap { action in
      report.actionNumber.map { ObservedAction(action, number: $0) }
    }
    let step = ReactorStep(.report(report), of: action, in: identity, at: WorkTime.ticks)
    ObserverEntry.tell(ObserverEntry.distinct(observers), step, .reports)
  }

  /// The action whose work puts something out, where that is known.
  var actionOfCaller: UInt64? {
    let cause = ReactorCause.local
    return cause?.reactor == identity ? cause?.action.rawValue : taking
  }
}
