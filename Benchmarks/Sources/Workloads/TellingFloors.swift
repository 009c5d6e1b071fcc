import Synchronization

/// What telling an observer is held against.
package enum TellingFloors {
  /// Four steps of an action, told by hand: taken, begun, reduced, ended.
  ///
  /// The least that tells somebody who knows no types: the action, the mutation and the state in
  /// boxes, a step that says of what it is, and a call through the protocol's table for each. No
  /// reactor, no inbox, no isolation, nobody who may come or go, nothing that is remembered.
  package static let byHand: Workload = { count in
    // Which of the two is known when it runs, as with an observer of another module.
    let listener: any StepListening = count > 1 ? DeafListener() : LastListener()
    var state = Counter.State()
    let watch = Stopwatch()
    for number in 0..<count {
      let action = BareStep.Subject(value: Counter.Action.increase, number: number)
      listener.listen(BareStep(subject: action, kind: .taken))
      listener.listen(BareStep(subject: action, kind: .begun))
      state.value += 1
      let kind = BareStep.Kind.reduced(mutation: Counter.Mutation.add(1), state: state)
      listener.listen(BareStep(subject: action, kind: kind))
      listener.listen(BareStep(subject: action, kind: .ended))
    }
    let reading = watch.reading
    check(state.value, is: count)
    return reading
  }
}

/// A step as it would be written by hand.
private struct BareStep: Sendable {
  struct Subject: Sendable {
    let value: any Sendable
    let number: Int
  }

  enum Kind: Sendable {
    case taken
    case begun
    case reduced(mutation: any Sendable, state: any Sendable)
    case ended
  }

  let subject: Subject
  let kind: Kind
}

private protocol StepListening: Sendable {
  func listen(_ step: BareStep)
}

private struct DeafListener: StepListening {
  func listen(_ step: BareStep) {}
}

private final class LastListener: StepListening {
  let last = Mutex<BareStep?>(nil)
  func listen(_ step: BareStep) { last.withLock { $0 = step } }
}
