import Reactor

/// What an observer received of one reactor, and whether it is possible.
struct ObserverStory {
  let steps: [ReactorStep]

  /// Everything that cannot be, in a reactor whose actions have all settled.
  ///
  /// - Parameter state: The last state, where it is known; mutations are appended to it.
  /// - Returns: What cannot be, in words.
  func problems(state: [Int]?) -> [String] {
    problemsOfActions + problemsOfMutations(state) + problemsOfLife
  }

  // MARK: Actions

  private var problemsOfActions: [String] {
    var order: [ActionNumber] = []
    var byAction: [ActionNumber: [ReactorStep]] = [:]
    for step in steps {
      guard let number = step.action?.number else { continue }
      if byAction[number] == nil { order.append(number) }
      byAction[number, default: []].append(step)
    }
    return order.flatMap { number in
      let steps = byAction[number] ?? []
      return Self.problems(ofAction: steps).map { problem in
        "\(number): \(problem) in \(steps.map(\.kind.text))"
      }
    }
  }

  private static func problems(ofAction steps: [ReactorStep]) -> [String] {
    var problems: [String] = []
    var (taken, begun, ended) = (0, 0, 0)
    var open: Set<EffectNumber> = []
    var known: Set<EffectNumber> = []
    for step in steps {
      // It is reported where it is detected.
      if case .report = step.kind { continue }
      if ended > 0 { problems.append("'\(step.kind.text)' after the end") }
      switch step.kind {
      case .taken:
        taken += 1
        if begun > 0 { problems.append("taken after it was begun") }
      case .begun:
        begun += 1
        if taken == 0 { problems.append("begun before it was taken") }
      case .waiting: if begun > 0 { problems.append("waits after it was begun") }
      case .effectBegun(let number):
        if begun == 0 { problems.append("an effect of an action that was not begun") }
        if !known.insert(number).inserted { problems.append("effect \(number) began twice") }
        open.insert(number)
      case .effectEnded(let number, _, _):
        if open.remove(number) == nil { problems.append("effect \(number) ended, not begun") }
      case .reduced: if begun == 0 { problems.append("reduced before it was begun") }
      case .ended(let outcome, _):
        ended += 1
        if !open.isEmpty { problems.append("ended with effects \(open) open") }
        if case .finished = outcome, begun == 0 { problems.append("finished, not begun") }
      default: break
      }
    }
    if taken != 1 { problems.append("taken \(taken) times") }
    if begun > 1 { problems.append("begun \(begun) times") }
    if ended != 1 { problems.append("ended \(ended) times") }
    return problems
  }

  // MARK: Mutations

  private func problemsOfMutations(_ state: [Int]?) -> [String] {
    var problems: [String] = []
    var last: [Int]?
    var number: UInt64 = 0
    for step in steps {
      switch step.kind {
      case .started(let state): last = state as? [Int]
      case .reduced(let transition):
        number += 1
        if transition.number != number { problems.append("mutation \(transition.number)") }
        guard let old = transition.old as? [Int], let new = transition.new as? [Int],
          let mutation = transition.mutation as? Int
        else {
          problems.append("a transition of other types")
          continue
        }
        if let last, old != last { problems.append("from \(old), which was \(last)") }
        if new != old + [mutation] { problems.append("\(mutation) made \(new) of \(old)") }
        last = new
      default: break
      }
    }
    if let state, let last, last != state { problems.append("in the end \(last), not \(state)") }
    return problems
  }

  // MARK: The reactor

  private var problemsOfLife: [String] {
    var problems: [String] = []
    var isStarted = false
    for step in steps {
      switch step.kind {
      case .started:
        if isStarted { problems.append("started twice") }
        isStarted = true
      case .stopped:
        if !isStarted { problems.append("stopped before it was started") }
        isStarted = false
      case .taken, .begun, .effectBegun, .reduced:
        if !isStarted { problems.append("'\(step.words)' before it was started") }
      default: break
      }
    }
    return problems
  }
}
