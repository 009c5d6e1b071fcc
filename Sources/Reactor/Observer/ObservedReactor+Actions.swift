/// The steps of an action, from when it is taken to its end.
extension ObservedReactor {
  /// An action has been dequeued, or a hook has returned it.
  func take(_ value: any Sendable, _ number: UInt64, _ arrival: StepArrival) {
    let sender = arrival.context?.origin
    let now = time
    let madeOf = arrival.origin.map {
      ReactorCause(reactor: identity, action: ActionNumber(rawValue: $0))
    }
    let observedAction = ObservedAction(
      value, number: ActionNumber(rawValue: number), cause: sender?.cause ?? madeOf)
    let waited: Duration? = now.flatMap { now in sender?.sent.map { .nanoseconds(now - $0) } }
    let depth = sender?.depth ?? 0
    record(number, tracksWork ? ObservedWork(observedAction, taken: now, depth: depth) : nil)
    if needs.contains(.taken) {
      (arrival.context ?? .none).bind {
        let kind = ReactorStep.Kind.taken(waited: waited, behind: arrival.behind)
        notify(.taken, kind, of: observedAction, at: now, depth: depth)
      }
    }
  }

  func intoHook(_ number: UInt64) {
    if let action = known(number) { notify(.waiting, .intoHook, of: action) }
  }

  func wait(_ number: UInt64, in lane: LaneKey) {
    guard let action = known(number) else { return }
    action.waitsSince = time
    notify(.waiting, .waiting(lane: lane), of: action, at: action.waitsSince)
  }

  /// `mutate` is about to be called.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - value: The value that a hook has returned under its number, if there is one.
  ///   - context: The context of the turn.
  /// - Returns: The context of the turn from here on.
  func begin(
    _ action: ObservedWork, as value: (any Sendable)?, in context: ActionContext?
  ) -> ActionContext {
    if let value {
      action.observedAction = ObservedAction(
        value, number: action.observedAction.number, cause: action.observedAction.cause)
    }
    let context = context ?? .none
    let now = (beginsAtOnce ? action.taken : nil) ?? time
    let waited: Duration? = now.flatMap { now in action.waitsSince.map { .nanoseconds(now - $0) } }
    context.bind { notify(.begun, .begun(waited: waited), of: action, at: now) }
    return context.ofWork(
      with: values(around: .begun(waited: waited), action, at: now, in: context))
  }

  /// The values to bind around a piece of work: its cause, and the values that observers return.
  func values(
    around kind: @autoclosure () -> ReactorStep.Kind, _ action: ObservedWork, at time: Int64?,
    in context: ActionContext
  ) -> [any BoundLocal] {
    var values: [any BoundLocal] = []
    if needs.contains(.causes) {
      let cause = ReactorCause(reactor: identity, action: action.observedAction.number)
      values.append(BoundTaskLocal(ReactorCause.$local, cause))
    }
    if action.depth > 0 { values.append(BoundTaskLocal(ObserverDepth.$current, action.depth)) }
    guard needs.contains(.values) else { return values }
    let step = ReactorStep(kind(), of: action.observedAction, in: identity, at: time)
    context.bind {
      for entry in notified where entry.needs.contains(.values) && entry.isRegistered {
        values += entry.observer.values(for: step).values
      }
    }
    return values
  }

  /// An action has ended.
  func end(_ number: UInt64, as outcome: ActionOutcome) {
    guard let action = remove(number) else { return }
    let now = time
    let took: Duration? = now.flatMap { now in action.taken.map { .nanoseconds(now - $0) } }
    notify(.ended, .ended(outcome, took: took), of: action, at: now)
  }
}
