import Workloads

/// What must be reached: one row per promise, each with what it is held against.
func measureTargets() {
  measureSending()
  measureWatchers()
  measureEffects()
  measureMemory()
}

private func measureSending() {
  Comparison.compare(
    "send, no observer", with: "an array behind a lock", atMost: 1,
    Sending.noObserver, SendingFloors.lockedArray)
  Comparison.compare(
    "send, no observer", with: "await actor.method()", atMost: 0.35,
    Sending.noObserver, SendingFloors.actorCall)
  Comparison.compare(
    "await send(…).settled, idle", with: "await actor.method()", atMost: 2.5,
    Sending.settled, SendingFloors.actorCall)
  Comparison.compare(
    "send from two threads", with: "from one", atMost: 1, count: 500_000,
    Sending.twoProducers, Sending.noObserver)
  Comparison.compare(
    "a hook that changes nothing", with: "AsyncStream, one to one", atMost: 1.3, count: 3_000,
    Sending.throughHook, WatchingFloors.asyncStream)
  Comparison.compare(
    "a hook that changes nothing", with: "AsyncStream, there and back", atMost: nil, count: 3_000,
    Sending.throughHook, WatchingFloors.asyncStreamInStep)
  Comparison.compare(
    "reactor made, used once, let go", with: "actor made, called once, let go", atMost: 4,
    count: 3_000, Sending.createUseRelease, SendingFloors.createCallRelease)
  Comparison.compare(
    "reactor made, used once, let go", with: "actor made, told by a Task, let go", atMost: nil,
    count: 3_000, Sending.createUseRelease, SendingFloors.createTellRelease)
}

private func measureWatchers() {
  Comparison.compare(
    "send, one observer of every state", with: "AsyncStream, one to one", atMost: 0.25,
    Watching.oneObserver, WatchingFloors.asyncStream)
  Comparison.compare(
    "send, 10 observers that are busy", with: "one that is busy", atMost: 1.2,
    Watching.idleObservers(10), Watching.idleObservers(1))
  Comparison.compare(
    "send, 100 observers that are busy", with: "one that is busy", atMost: 1.2,
    Watching.idleObservers(100), Watching.idleObservers(1))
  Comparison.compare(
    "newest of an array of 100000", with: "of an array of 10", atMost: 1.2,
    Watching.newestOfArray(100_000), Watching.newestOfArray(10))
}

private func measureEffects() {
  Comparison.compare(
    "effect of 3 mutations", with: "Task { }", atMost: 0.6,
    Effects.three, EffectFloors.task)
  Comparison.compare(
    "effect of 3 mutations, uses self", with: "Task { }", atMost: 0.6,
    Effects.threeHere, EffectFloors.task)
  Comparison.compare(
    "effect of 3 mutations", with: "Task.immediate { }", atMost: nil,
    Effects.three, EffectFloors.immediateTask)
  Comparison.compare(
    "effect of 3 mutations, each awaited", with: "await Task { }.value", atMost: nil, count: 3_000,
    Effects.threeInTurn, EffectFloors.taskInTurn)
  Comparison.compare(
    "effect that suspends once", with: "Task { } that suspends once", atMost: 1.5,
    Effects.waiting, EffectFloors.waitingTask)
  Comparison.compare(
    "effect that suspends once, uses self", with: "Task { } that suspends once", atMost: 1.5,
    Effects.waitingHere, EffectFloors.waitingTask)
}
