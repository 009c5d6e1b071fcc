/// What observers are told of effects, of what is made and put out, and of the reactor's life.
extension PipelineCore {
  // MARK: Effects

  /// The context of an effect that is about to begin; those who observe are told of it.
  @usableFromInline
  func contextOfEffect(_ run: Run) -> ActionContext? {
    guard let context = details.turnContext else { return nil }
    guard let telling = details.telling, let action = telling.open[run.number] else {
      return context
    }
    telling.effects += 1
    let now = WorkTime.now
    telling.running[ObjectIdentifier(run)] = ToldEffect(
      number: telling.effects, action: run.number, since: now)
    let kind = ReactorStep.Kind.effectBegun(telling.effects)
    context.bind { telling.tell(kind, of: action, at: now) }
    return context.with(values(for: kind, action, telling, in: context))
  }

  @usableFromInline
  func observeEffectEnded(_ run: Run, _ ending: EffectEnding) {
    guard let telling = own.details?.pointee.telling,
      let effect = telling.running.removeValue(forKey: ObjectIdentifier(run))
    else { return }
    let end: ReactorStep.EffectEnd =
      switch ending {
      case _ where run.isCancelled: .cancelled
      case .failed(let error): error is CancellationError ? .cancelled : .failed(error)
      case .finished: .finished
      }
    tellEnded(effect, end, telling)
  }

  private func tellEnded(
    _ effect: ToldEffect, _ end: ReactorStep.EffectEnd,
    _ telling: Telling
  ) {
    let now = WorkTime.now
    telling.tell(
      .effectEnded(effect.number, end, took: effect.since.duration(to: now)), of: effect.action,
      at: now)
  }

  // MARK: Mutations

  @usableFromInline
  func observeReduced(_ mutation: R.Mutation, _ state: R.State, of number: UInt64?) {
    guard ReactorObservers.isAny, let telling = details.telling, telling.isHeard else { return }
    telling.mutations += 1
    let old = telling.comparesStates ? telling.state ?? state : nil
    if telling.comparesStates { telling.state = state }
    let transition = StateTransition(mutation, number: telling.mutations, old: old, new: state)
    telling.tell(.reduced(transition), of: number.flatMap { telling.open[$0] })
  }

  func observeDurable(upTo sequence: Int) {
    own.details?.pointee.telling?.tell(.durable(upTo: sequence))
  }

  // MARK: What leaves

  @usableFromInline
  func observeOutput(_ output: R.Output) {
    guard let telling = own.details?.pointee.telling else { return }
    let cause = ReactorCause.local
    let action = cause?.reactor == telling.identity ? cause?.action.rawValue : taking
    telling.tell(.output(output), of: action.flatMap { telling.open[$0] })
  }

  /// Any thread: what is reported is told where it is noticed.
  func observeReport(_ report: ReactorReport) {
    // One that sends for what was refused would be told of its own refusal for ever.
    let observers = observers
    if observers.isEmpty || ObserverDepth.current > 1 { return }
    let action = report.action.flatMap { action in
      report.actionNumber.map { ObservedAction(action, number: $0) }
    }
    ObserverEntry.tell(
      observers, ReactorStep(.report(report), in: identity, action: action, at: WorkTime.now))
  }

  // MARK: Life

  func observeStarted(on reactor: isolated R) {
    guard let telling = own.details?.pointee.telling else { return }
    telling.isStarted = false
    renew(telling, on: reactor)
  }

  func observeStopping(on reactor: isolated R) {
    telling(on: reactor)?.tell(.stopping(inbox.isDraining ? .drain : .cancel))
  }

  @usableFromInline
  func observeStopped() {
    guard let telling = own.details?.pointee.telling, telling.isStarted else { return }
    telling.tell(.stopped)
  }

  /// The reactor is gone, and its effects have nowhere to go.
  @usableFromInline
  func observeEffectsGone() {
    guard let telling = own.details?.pointee.telling else { return }
    for effect in telling.running.values.sorted(by: { $0.number < $1.number }) {
      tellEnded(effect, .cancelled, telling)
    }
    telling.running = [:]
  }

  @usableFromInline
  func observeReleased() {
    guard let telling = own.details?.pointee.telling else { return }
    for number in telling.open.keys.sorted() { observeEnd(of: number) }
    telling.tell(.released)
  }
}
