import Workloads

extension Ratios {
  /// Asking, and several reactors.
  static let several = [
    Group(
      "ask",
      [
        Contender("ask, answered at once", 50_000, Asking.idle),
        Contender("asked by hand", 50_000, SeveralFloors.ask),
        Contender("await send(…).settled, idle", 50_000, Sending.settled),
        Contender("await actor.method()", 50_000, SendingFloors.actorCall),
      ],
      [
        Row("ask, answered at once", "await send(…).settled, idle", atMost: 1.5),
        Row("ask, answered at once", "asked by hand"),
        Row("ask, answered at once", "await actor.method()"),
      ]),
    Group(
      "group",
      [
        Contender("broadcast, for 3 of 1000", 20_000, Groups.threeOfThousand),
        Contender("broadcast, for 3 of 3", 20_000, Groups.threeOfThree),
        Contender("broadcast, 1000 are asked, for 3", 500, Groups.threeOfThousandAsked),
        Contender("broadcast by hand", 20_000, SeveralFloors.broadcast),
        Contender("three sends", 20_000, Groups.threeSends),
      ],
      [
        Row("broadcast, for 3 of 1000", "three sends", atMost: 1.2),
        Row("broadcast, for 3 of 1000", "broadcast, for 3 of 3", atMost: 1.2),
        Row("broadcast, for 3 of 1000", "broadcast by hand"),
        Row("broadcast, 1000 are asked, for 3", "three sends"),
      ]),
    Group(
      "registry",
      [
        Contender("a live key of a registry is used", 50_000, Registering.lookUp),
        Contender("look-up in a locked dictionary", 50_000, RegisteringFloors.lockedDictionary),
      ],
      [Row("a live key of a registry is used", "look-up in a locked dictionary")]),
  ]
}
