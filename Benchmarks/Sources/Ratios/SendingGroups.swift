import Reactor
import Workloads

extension Ratios {
  /// Sending, with nobody watching.
  static let sending = [
    Group(
      "send",
      [
        Contender("send, no observer", 200_000, Sending.noObserver),
        Contender("await actor.method()", 200_000, SendingFloors.actorCall),
        Contender("a locked array that two threads use", 200_000, SendingFloors.sharedArray),
        Contender("a locked array that one thread uses", 200_000, SendingFloors.lockedArray),
        Contender("OpenCombine scan, one sink", 200_000, Peers.scan),
        Contender("ReactorKit's shape on OpenCombine", 20_000, Peers.reactorKit(subscribers: 0)),
        Contender("ReSwift's shape", 20_000, StorePeers.dispatch(subscribers: 0)),
      ],
      [
        Row("send, no observer", "await actor.method()", atMost: 0.5),
        Row("send, no observer", "a locked array that two threads use", atMost: 2),
        Row("send, no observer", "a locked array that one thread uses"),
        Row("send, no observer", "OpenCombine scan, one sink"),
        Row("send, no observer", "ReactorKit's shape on OpenCombine"),
        Row("send, no observer", "ReSwift's shape"),
      ]),
    Group(
      "observed",
      [
        Contender("send, no observer", 200_000, Sending.noObserver),
        Contender("an observer of nothing", 200_000, Sending.observedFromOutside([])),
        Contender("an observer of actions taken", 200_000, Sending.observedFromOutside(.taken)),
        Contender("an observer of actions", 100_000, Sending.observedFromOutside(.actions)),
        Contender("an observer of all steps", 100_000, Sending.observedFromOutside(.steps)),
        Contender("an observer of everything", 50_000, Sending.observedFromOutside(.everything)),
      ],
      [
        Row("an observer of nothing", "send, no observer", atMost: 1.5),
        Row("an observer of actions taken", "send, no observer", atMost: 1.5),
        Row("an observer of actions", "send, no observer"),
        Row("an observer of all steps", "send, no observer"),
        Row("an observer of everything", "send, no observer"),
      ]),
    Group(
      "producers",
      [
        Contender("send from 1 producer", 200_000, Sending.producers(1)),
        Contender("send from 2 producers", 200_000, Sending.producers(2)),
        Contender("send from 4 producers", 200_000, Sending.producers(4)),
        Contender("send from 8 producers", 200_000, Sending.producers(8)),
        Contender(
          "a locked array, 8 producers", 200_000, SendingFloors.sharedArray(producers: 8)),
        Contender("actor called by 8 tasks", 100_000, SendingFloors.actorCalls(from: 8)),
      ],
      [
        Row("send from 2 producers", "send from 1 producer", atMost: 1),
        Row("send from 4 producers", "send from 1 producer", atMost: 1),
        Row("send from 8 producers", "send from 1 producer", atMost: 1),
        Row("send from 8 producers", "a locked array, 8 producers"),
        Row("send from 8 producers", "actor called by 8 tasks"),
      ]),
    Group(
      "settled",
      [
        Contender("await send(…).settled, idle", 50_000, Sending.settled),
        Contender("await actor.method()", 50_000, SendingFloors.actorCall),
        Contender("sent and waited for, by hand", 50_000, HandFloors.settled),
        Contender("ReSwift's shape", 20_000, StorePeers.dispatch(subscribers: 0)),
      ],
      [
        Row("await send(…).settled, idle", "await actor.method()", atMost: 3),
        Row("await send(…).settled, idle", "sent and waited for, by hand"),
        Row("sent and waited for, by hand", "await actor.method()"),
        Row("await send(…).settled, idle", "ReSwift's shape"),
      ]),
    Group(
      "hook",
      [
        Contender("a hook that changes nothing", 20_000, Sending.throughHook),
        Contender("AsyncStream, one to one", 20_000, WatchingFloors.asyncStream),
        Contender("AsyncStream, there and back", 5_000, WatchingFloors.asyncStreamInStep),
      ],
      [
        Row("a hook that changes nothing", "AsyncStream, one to one", atMost: 1.3),
        Row("a hook that changes nothing", "AsyncStream, there and back"),
      ]),
  ]
}
