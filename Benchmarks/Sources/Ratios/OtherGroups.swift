import Workloads

extension Ratios {
  /// Used from the main actor.
  static let onMain = [
    Group(
      "awaited from main",
      [
        Contender("settled from main, reactor on the pool", 2_000, OnMain.settledOnPool),
        Contender("settled from main, reactor on main", 50_000, OnMain.settledOnMain),
        Contender("await actor.method(), from main", 2_000, OnMainFloors.actorCall),
        Contender("sent from main and waited for, by hand", 2_000, HandFloors.settledFromMain),
        Contender("ReSwift's shape, on main", 20_000, StorePeers.onMain),
      ],
      [
        Row(
          "settled from main, reactor on the pool", "await actor.method(), from main", atMost: 1.2),
        Row(
          "settled from main, reactor on the pool", "sent from main and waited for, by hand"),
        Row("sent from main and waited for, by hand", "await actor.method(), from main"),
        Row("settled from main, reactor on the pool", "ReSwift's shape, on main"),
        Row("settled from main, reactor on main", "ReSwift's shape, on main"),
      ]),
    Group(
      "observed from main",
      [
        Contender("sent and observed on main, reactor on main", 3_000, OnMain.observedOnMain),
        Contender("sent and observed on main, reactor on the pool", 3_000, OnMain.observedOnPool),
        Contender("ReSwift's shape, on main", 20_000, StorePeers.onMain),
        Contender("ReactorKit's shape on OpenCombine, on main", 20_000, Peers.reactorKitOnMain),
      ],
      [
        Row("sent and observed on main, reactor on main", "ReSwift's shape, on main", atMost: 1.5),
        Row(
          "sent and observed on main, reactor on main",
          "ReactorKit's shape on OpenCombine, on main"),
        Row("sent and observed on main, reactor on the pool", "ReSwift's shape, on main"),
      ]),
  ]

  /// Many of them.
  static let instances = [
    Group(
      "made",
      [
        Contender("made, used once, released", 5_000, Instances.createUseRelease),
        Contender("ReSwift's shape", 5_000, StorePeers.createUseRelease),
        Contender("actor told by a task", 5_000, InstanceFloors.createTellRelease),
        Contender("made by hand, used once, released", 5_000, HandFloors.createUseRelease),
        Contender("actor called once", 20_000, InstanceFloors.createCallRelease),
        Contender("ReactorKit's shape on OpenCombine", 5_000, Peers.reactorKitCreateUseRelease),
      ],
      [
        Row("made, used once, released", "ReSwift's shape", atMost: 1),
        Row("made, used once, released", "actor told by a task", atMost: 1.3),
        Row("made, used once, released", "made by hand, used once, released"),
        Row("made by hand, used once, released", "ReSwift's shape"),
        Row("made, used once, released", "actor called once"),
        Row("made, used once, released", "ReactorKit's shape on OpenCombine"),
      ]),
    Group(
      "10000 instances", tries: 3,
      [
        Contender("10000 instances, 8 tasks", 100_000, Instances.spread(over: 10_000)),
        Contender("10000 actors", 100_000, InstanceFloors.spread(over: 10_000)),
        Contender("10000 by hand that can be sent to", 100_000, HandFloors.spread(over: 10_000)),
        Contender("10000 actors, told by tasks", 100_000, InstanceFloors.toldSpread(over: 10_000)),
        Contender("10000 of ReSwift's shape, a lock each", 50_000, StorePeers.spread(over: 10_000)),
        Contender("10000 of ReactorKit's shape, a lock each", 50_000, Peers.reactorKits(10_000)),
      ],
      [
        Row("10000 instances, 8 tasks", "10000 actors", atMost: 2.5),
        Row("10000 instances, 8 tasks", "10000 by hand that can be sent to"),
        Row("10000 by hand that can be sent to", "10000 actors"),
        Row("10000 instances, 8 tasks", "10000 actors, told by tasks"),
        Row("10000 instances, 8 tasks", "10000 of ReSwift's shape, a lock each"),
        Row("10000 instances, 8 tasks", "10000 of ReactorKit's shape, a lock each"),
      ]),
  ]

  /// Neither sent nor watched.
  static let others = [
    Group(
      "list changes",
      [
        Contender("list changes, 10000 rows and 100 edits", 1, ListWorkloads.changes),
        Contender("CollectionDifference", 1, ListWorkloads.difference),
      ],
      [Row("list changes, 10000 rows and 100 edits", "CollectionDifference")])
  ]

  /// What idle reactors weigh: the same on every machine with this C library.
  static let amounts = [
    Amount(name: "bytes of a reactor beside its State, not used yet", target: 300) {
      await Memory.bytesPerReactor(100_000, isUsed: false)
    },
    Amount(name: "bytes of a reactor beside its State, used and idle", target: 300) {
      await Memory.bytesPerReactor(100_000, isUsed: true)
    },
    Amount(name: "megabytes resident of 1000000 idle reactors", target: 400) {
      await Memory.resident(1_000_000, isUsed: true).map { ($0 + 500_000) / 1_000_000 }
    },
    Amount(name: "threads of 100000 idle reactors", target: 0) { await Memory.threadsOf(100_000) },
  ]
}
