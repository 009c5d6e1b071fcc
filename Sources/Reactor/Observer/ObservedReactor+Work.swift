/// The steps of an action's work: its effects and mutations.
extension ObservedReactor {
  // MARK: Effects

  /// An effect is about to begin.
  ///
  /// - Parameters:
  ///   - run: The effect.
  ///   - action: Its action.
  ///   - context: The context of the turn.
  /// - Returns: The context of the effect.
  func beginEffect(
    _ run: ObjectIdentifier, of action: ObservedWork, in context: ActionContext
  ) -> ActionContext {
    effects += 1
    let now = time
    running[run] = ObservedEffect(number: effects, action: action.number, since: now)
    context.bind { notify(.effects, .effectBegun(effects), of: action, at: now) }
    return context.ofWork(
      with: values(around: .effectBegun(effects), action, at: now, in: context))
  }

  func endEffect(_ run: ObjectIdentifier, _ end: EffectOutcome) {
    if let effect = running.removeValue(forKey: run) { notifyEnd(of: effect, end) }
  }

  /// The reactor has been released, and its effects cannot continue.
  func endAllEffects() {
    let effects = running.values.sorted { $0.number < $1.number }
    for effect in effects { notifyEnd(of: effect, .cancelled) }
    running = [:]
  }

  private func notifyEnd(of effect: ObservedEffect, _ end: EffectOutcome) {
    guard let action = known(effect.action) else { return }
    let now = time
    let took: Duration? = now.flatMap { now in effect.since.map { .nanoseconds(now - $0) } }
    notify(.effects, .effectEnded(effect.number, end, took: took), of: action, at: now)
  }

  // MARK: Mutations

  func reduce(
    _ mutation: any Sendable, _ new: any Sendable, version: UInt64, of number: UInt64?,
    by emitter: ObjectIdentifier?
  ) {
    mutations += 1
    let effect = emitter.flatMap { running[$0]?.number }
    var old: (any Sendable)?
    if needs.contains(.oldStates) {
      old = state ?? new
      state = new
    }
    let transition = StateTransition(
      mutation, number: mutations, version: version, effect: effect, old: old, new: new)
    notify(.mutations, .reduced(transition), of: number.flatMap { known($0) })
  }
}
