import Reactor

/// One step of a run of an exploration, as a failure prints it and `replay` repeats it.
public struct ExplorationStep<Action: Sendable>: Sendable {
  enum Kind: Sendable {
    case setUp
    case send(Action)
    case advance(Duration)
    case end
  }

  let kind: Kind
  /// After how many jobs the next step comes; `nil` is when nothing can run.
  let pause: Int?
  /// Which job ran next, and what the world did, each as numbers of which 0 is the tamest.
  let choices: ChoiceSource.Section

  init(_ kind: Kind, pause: Int? = nil, _ choices: ChoiceSource.Section) {
    (self.kind, self.pause, self.choices) = (kind, pause, choices)
  }

  private init(_ kind: Kind, _ pause: Int?, _ order: [Int], _ world: [Int]) {
    func numbers(_ choices: [Int]) -> [UInt32] { choices.map { UInt32(clamping: $0) } }
    self.init(
      kind, pause: pause, ChoiceSource.Section(order: numbers(order), world: numbers(world)))
  }

  /// The choices before the first step.
  ///
  /// - Parameters:
  ///   - order: As for ``send(_:jobs:order:world:)``.
  ///   - world: As for ``send(_:jobs:order:world:)``.
  /// - Returns: The step; it is the first one, and can be left out if there are no choices.
  public static func setUp(order: [Int] = [], world: [Int] = []) -> ExplorationStep {
    ExplorationStep(.setUp, nil, order, world)
  }

  /// Sends an action.
  ///
  /// - Parameters:
  ///   - action: The action.
  ///   - jobs: After how many jobs of tasks the next step comes; by default when nothing can run.
  ///   - order: For each moment at which several jobs can run, which one does; 0 is the oldest, and
  ///     zeros at the end are left out.
  ///   - world: What is chosen meanwhile by ``ExplorationRun/choose(_:_:)`` and the like.
  /// - Returns: The step.
  public static func send(
    _ action: Action, jobs: Int? = nil, order: [Int] = [], world: [Int] = []
  ) -> ExplorationStep {
    ExplorationStep(.send(action), jobs, order, world)
  }

  /// Advances the clock.
  ///
  /// - Parameters:
  ///   - duration: By how much.
  ///   - jobs: As for ``send(_:jobs:order:world:)``.
  ///   - order: As for ``send(_:jobs:order:world:)``.
  ///   - world: As for ``send(_:jobs:order:world:)``.
  /// - Returns: The step.
  public static func advance(
    by duration: Duration, jobs: Int? = nil, order: [Int] = [], world: [Int] = []
  ) -> ExplorationStep {
    ExplorationStep(.advance(duration), jobs, order, world)
  }

  /// The choices after the last step, while the clock advances until no task sleeps.
  ///
  /// - Parameters:
  ///   - order: As for ``send(_:jobs:order:world:)``.
  ///   - world: As for ``send(_:jobs:order:world:)``.
  /// - Returns: The step; it is the last one, and can be left out if there are no choices.
  public static func end(order: [Int] = [], world: [Int] = []) -> ExplorationStep {
    ExplorationStep(.end, nil, order, world)
  }

  /// The source of the step; `nil` if it can be left out.
  var source: String? {
    var arguments: [String] = []
    let name: String
    switch kind {
    case .setUp: name = "setUp"
    case .send(let action):
      name = "send"
      arguments.append(SourceText.of(action))
    case .advance(let duration):
      name = "advance"
      arguments.append("by: " + SourceText.of(duration))
    case .end: name = "end"
    }
    if let pause { arguments.append("jobs: \(pause)") }
    for (label, track) in [("order", ChoiceSource.Track.order), ("world", .world)] {
      let choices = choices[track]
      if !choices.isEmpty { arguments.append("\(label): \(choices)") }
    }
    switch kind {
    case .setUp where arguments.isEmpty, .end where arguments.isEmpty: return nil
    default: return ".\(name)(\(arguments.joined(separator: ", ")))"
    }
  }
}
