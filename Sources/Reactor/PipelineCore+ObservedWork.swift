/// What observers are told of effects, of what is made and put out, and of the reactor's life.
extension PipelineCore {
  // MARK: Effects

  /// The context of an effect that is about to begin; those who observe are told of it.
  @inlinable
  func contextOfEffect(_ run: Run) -> ActionContext? {
    guard let details = own.details, let context = details.pointee.turnContext else { return nil }
    guard let telling = details.pointee.telling, let action = telling.known(run.number)
    else { return context }
    return telling.beginEffect(ObjectIdentifier(run), of: action, in: context)
  }

  @inlinable
  func observeEffectEnded(_ run: Run, _ ending: EffectEnding) {
    own.details?.pointee.telling?.endEffect(
      ObjectIdentifier(run), ending, isCancelled: run.isCancelled)
  }

  // MARK: Mutations

  /// Reduces what an effect has emitted, so that those who are told of it know which one.
  @inlinable @inline(never)
  func reduceObserved(_ mutation: R.Mutation, of run: Run, on reactor: isolated R) {
    let telling = own.details?.pointee.telling
    telling?.emitting = ObjectIdentifier(run)
    reduce(mutation, of: run.number, on: reactor)
    telling?.emitting = nil
  }

  @inlinable
  func observeReduced(_ mutation: R.Mutation, _ state: R.State, of number: UInt64?) {
    guard ReactorObservers.isAny, let telling = details.telling,
      telling.needs.contains(.mutations)
    else { return }
    telling.reduce(mutation, state, version: version, of: number)
  }

  func observeDurable(upTo sequence: Int) {
    own.details?.pointee.telling?.tell(.life, .durable(upTo: sequence))
  }

  // MARK: What leaves

  @usableFromInline
  func observeOutput(_ output: R.Output) {
    guard let telling = own.details?.pointee.telling, telling.needs.contains(.outputs)
    else { return }
    let cause = ReactorCause.local
    let action = cause?.reactor == telling.identity ? cause?.action.rawValue : taking
    telling.tellOnce(.outputs, .output(output), of: action.flatMap { telling.known($0) })
  }

  /// Any thread: what is reported is told where it is noticed.
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

  // MARK: Life

  /// The reactor begins for the first time, or for the first time observed: whoever observes it
  /// is told so now, and not only with its first action, which may never come.
  @usableFromInline
  func observeBeginning(on reactor: isolated R) {
    if own.details?.pointee.telling == nil { _ = newTelling(on: reactor) }
  }

  /// It begins anew.
  func observeStarted(on reactor: isolated R) {
    guard let telling = own.details?.pointee.telling else { return }
    (telling.isStarted, telling.isShownStates) = (false, false)
    renew(telling, on: reactor)
  }

  func observeStopping(_ mode: StopMode, on reactor: isolated R) {
    telling(on: reactor)?.tell(.life, .stopping(mode))
  }

  @usableFromInline
  func observeStopped() {
    guard let telling = own.details?.pointee.telling, telling.isStarted else { return }
    telling.tell(.life, .stopped)
  }

  /// The reactor is gone, and its effects have nowhere to go.
  @usableFromInline
  func observeEffectsGone() {
    guard let telling = own.details?.pointee.telling else { return }
    telling.endAllEffects()
  }

  @usableFromInline
  func observeReleased() {
    guard let telling = own.details?.pointee.telling else { return }
    for action in telling.allOpen { observeEnd(of: action.number) }
    telling.tell(.life, .released)
  }
}
