import Workloads

extension Ratios {
  /// Sending while somebody watches.
  static let watching = [
    Group(
      "one observer",
      [
        Contender("send, one observer of every state", 20_000, Watching.oneObserver),
        Contender("AsyncStream, one to one", 20_000, WatchingFloors.asyncStream),
        Contender("ReactorKit's shape on OpenCombine", 20_000, Peers.reactorKit(subscribers: 1)),
        Contender("ReSwift's shape", 20_000, StorePeers.dispatch(subscribers: 1)),
      ],
      [
        Row("send, one observer of every state", "AsyncStream, one to one", atMost: 0.25),
        Row("send, one observer of every state", "ReactorKit's shape on OpenCombine"),
        Row("send, one observer of every state", "ReSwift's shape"),
      ]),
    Group(
      "ten observers",
      [
        Contender("send, 10 observers of every state", 10_000, Watching.waitingObservers(10)),
        Contender("10 times AsyncStream", 5_000, WatchingFloors.asyncStreams(10)),
        Contender("ReactorKit's shape on OpenCombine", 10_000, Peers.reactorKit(subscribers: 10)),
        Contender("ReSwift's shape", 5_000, StorePeers.dispatch(subscribers: 10)),
      ],
      [
        Row("send, 10 observers of every state", "10 times AsyncStream"),
        Row("send, 10 observers of every state", "ReactorKit's shape on OpenCombine"),
        Row("send, 10 observers of every state", "ReSwift's shape"),
      ]),
    Group(
      "busy observers", tries: 3,
      [
        Contender("send, one busy observer", 10_000, Watching.busyObservers(1)),
        Contender("send, 10 busy observers", 10_000, Watching.busyObservers(10)),
        Contender("send, 100 busy observers", 10_000, Watching.busyObservers(100)),
        Contender("each of 10 that catch up", 10_000, Watching.catchingUp(10)),
        Contender("each of 100 that catch up", 10_000, Watching.catchingUp(100)),
        Contender("one that catches up", 10_000, Watching.catchingUp(1)),
      ],
      [
        Row("send, 10 busy observers", "send, one busy observer", atMost: 1.2),
        Row("send, 100 busy observers", "send, one busy observer", atMost: 1.2),
        Row("each of 10 that catch up", "one that catches up", atMost: 1.2),
        Row("each of 100 that catch up", "one that catches up", atMost: 1.2),
      ]),
    Group(
      "in step",
      [
        Contender("send, observer in step", 10_000, Peers.reactorInStep),
        Contender("ReactorKit's shape on OpenCombine", 10_000, Peers.reactorKit(subscribers: 1)),
        Contender("ReSwift's shape", 10_000, StorePeers.dispatch(subscribers: 1)),
      ],
      [
        Row("send, observer in step", "ReactorKit's shape on OpenCombine"),
        Row("send, observer in step", "ReSwift's shape"),
      ]),
    Group(
      "newest",
      [
        Contender("newest of an array of 100000", 100_000, Watching.newestOfArray(100_000)),
        Contender("of an array of 10", 100_000, Watching.newestOfArray(10)),
      ],
      [Row("newest of an array of 100000", "of an array of 10", atMost: 1.2)]),
  ]
}
