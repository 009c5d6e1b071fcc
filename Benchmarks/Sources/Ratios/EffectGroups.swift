import Workloads

extension Ratios {
  /// Effects, beside tasks that do the same.
  static let effects = [
    Group(
      "effect",
      [
        Contender("effect of 3 mutations", 20_000, Effects.three),
        Contender("effect of 3 mutations, uses self", 20_000, Effects.threeHere),
        Contender("Task { }", 20_000, EffectFloors.task),
        Contender("Task.immediate { }", 20_000, EffectFloors.immediateTask),
        Contender("ReactorKit's shape on OpenCombine", 5_000, Peers.reactorKitThree),
        Contender("a thunk of ReSwift's shape", 5_000, StorePeers.thunkOfThree),
      ],
      [
        Row("effect of 3 mutations", "Task { }", atMost: 0.6),
        Row("effect of 3 mutations, uses self", "Task { }", atMost: 0.6),
        Row("effect of 3 mutations", "Task.immediate { }"),
        Row("effect of 3 mutations", "ReactorKit's shape on OpenCombine"),
        Row("effect of 3 mutations", "a thunk of ReSwift's shape"),
      ]),
    Group(
      "effect awaited",
      [
        Contender("effect of 3 mutations, each awaited", 10_000, Effects.threeInTurn),
        Contender("await Task { }.value", 10_000, EffectFloors.taskInTurn),
      ],
      [Row("effect of 3 mutations, each awaited", "await Task { }.value")]),
    Group(
      "effect that suspends",
      [
        Contender("effect that suspends once", 10_000, Effects.waiting),
        Contender("effect that suspends once, uses self", 10_000, Effects.waitingHere),
        Contender("Task { } that suspends once", 10_000, EffectFloors.waitingTask),
        Contender("Task beside the actor, which it tells", 10_000, EffectFloors.waitingTaskAside),
        Contender("a task that suspends, by hand", 10_000, HandFloors.suspending),
        Contender(
          "a task that suspends, by hand, begun at once", 10_000, HandFloors.suspendingBegun),
        Contender("a thunk of ReSwift's shape, on main", 5_000, StorePeers.thunkThatSuspends),
      ],
      [
        Row("effect that suspends once", "Task { } that suspends once", atMost: 1.3),
        Row("effect that suspends once, uses self", "Task { } that suspends once", atMost: 1.3),
        Row("effect that suspends once", "Task beside the actor, which it tells", atMost: 1.3),
        Row("a task that suspends, by hand", "Task { } that suspends once"),
        Row("a task that suspends, by hand, begun at once", "Task { } that suspends once"),
        Row("effect that suspends once", "a task that suspends, by hand"),
        Row("effect that suspends once", "a task that suspends, by hand, begun at once"),
        Row("effect that suspends once", "a thunk of ReSwift's shape, on main"),
      ]),
    Group(
      "lane",
      [
        Contender("at once, in a lane", 50_000, Lanes.latest),
        Contender("at once, in none", 50_000, Lanes.free),
        Contender("effect, in a lane", 10_000, Lanes.latestEffect),
        Contender("effect, in none", 10_000, Lanes.freeEffect),
        Contender("effect that suspends, in a lane", 5_000, Lanes.latestWaiting),
        Contender("effect that suspends, in none", 5_000, Lanes.freeWaiting),
      ],
      [
        Row("at once, in a lane", "at once, in none"),
        Row("effect, in a lane", "effect, in none"),
        Row("effect that suspends, in a lane", "effect that suspends, in none"),
      ]),
  ]

  /// Under fingers.
  static let keystrokes = [
    Group(
      "latest wins",
      [
        Contender("keystroke, latest wins", 10_000, Keystrokes.latestWins),
        Contender("a bare task that the next cancels", 10_000, KeystrokePeers.cancelledTasks),
        Contender("latest wins, by hand", 10_000, HandFloors.latestWins),
        Contender("latest wins, by hand, begun at once", 10_000, HandFloors.latestWinsBegun),
        Contender(
          "OpenCombine switchToLatest with a task", 10_000, KeystrokePeers.switchToLatestTask),
        Contender(
          "OpenCombine switchToLatest without a task", 20_000, KeystrokePeers.switchToLatest),
      ],
      [
        Row("keystroke, latest wins", "OpenCombine switchToLatest with a task", atMost: 1),
        Row("keystroke, latest wins", "a bare task that the next cancels", atMost: 3),
        Row("keystroke, latest wins", "latest wins, by hand"),
        Row("keystroke, latest wins", "latest wins, by hand, begun at once"),
        Row("latest wins, by hand", "OpenCombine switchToLatest with a task"),
        Row(
          "latest wins, by hand, begun at once", "OpenCombine switchToLatest with a task"),
        Row("keystroke, latest wins", "OpenCombine switchToLatest without a task"),
      ]),
    Group(
      "debounce", tries: 1,
      [
        Contender("keystroke, debounced", 100_000, Keystrokes.debounced),
        Contender("OpenCombine debounce", 100_000, KeystrokePeers.debounced),
      ],
      [Row("keystroke, debounced", "OpenCombine debounce", atMost: 0.5)]),
  ]
}
