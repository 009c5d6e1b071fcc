import Dispatch
import Reactor
import Workloads

/// Runs one workload so many times, for a tool that counts what that takes: `Instructions <name> <count>`.
@main
enum Instructions {
  private static let workloads: [(name: String, workload: Workload)] = [
    ("send", Sending.fromInside),
    ("send-observed", Sending.observed(.everything)),
    ("send-observed-steps", Sending.observed(.steps)),
    ("send-observed-actions", Sending.observed(.actions)),
    ("send-observed-taken", Sending.observed(.taken)),
    ("send-observed-nothing", Sending.observed([])),
    ("settled", Sending.settled),
    ("ask", Asking.idle),
    ("registry", Registering.lookUp),
    ("registry-come-and-go", Registering.comeAndGo),
    ("observer", Watching.oneObserver),
    ("effect-3", Effects.three),
    ("effect-3-self", Effects.threeHere),
    ("effect-suspending", Effects.waiting),
    ("latest-wins", Keystrokes.latestWins),
    ("hook", Sending.throughHook),
    ("create-use-release", Instances.createUseReleaseAlone),
    ("lane", Lanes.latestFromInside),
    ("lane-none", Lanes.freeFromInside),
    ("group-3-of-1000", Groups.threeOfThousand),
    ("group-3-of-1000-settled", Groups.threeOfThousandSettled),
    ("group-3-of-3", Groups.threeOfThree),
    ("group-3-of-1000-asked", Groups.threeOfThousandAsked),
    ("floor-ask", SeveralFloors.ask),
    ("floor-broadcast", SeveralFloors.broadcast),
    ("floor-three-sends", Groups.threeSends),
    ("floor-three-sends-settled", Groups.threeSendsSettled),
    ("carry-0", Carrying.nothing),
    ("carry-1", Carrying.one),
    ("carry-2", Carrying.two),
    ("carry-3", Carrying.three),
    ("floor-carry", Carrying.floor),
    ("floor-told", TellingFloors.byHand),
    ("floor-locked-array", SendingFloors.lockedArray),
    ("floor-actor-call", SendingFloors.actorCall),
    ("floor-locked-dictionary", RegisteringFloors.lockedDictionary),
    ("floor-task", EffectFloors.task),
    ("floor-immediate-task", EffectFloors.immediateTask),
    ("floor-waiting-task", EffectFloors.waitingTask),
    ("floor-told-by-waiting-task", EffectFloors.waitingTaskAside),
    ("floor-latest-wins", HandFloors.latestWinsBegun),
    ("floor-async-stream", WatchingFloors.asyncStream),
    ("floor-create-call-release", InstanceFloors.createCallRelease),
    ("floor-create-tell-release", InstanceFloors.createTellRelease),
  ]

  // Not `async`: the main thread would end before the process does, which valgrind does not survive.
  static func main() {
    let arguments = CommandLine.arguments
    guard arguments.count == 3, let count = Int(arguments[2]),
      let workload = workloads.first(where: { $0.name == arguments[1] })?.workload
    else {
      for (name, _) in workloads { print(name) }
      return
    }
    let finished = DispatchSemaphore(value: 0)
    Task.detached {
      // Whatever is made once is made now.
      _ = await workload(100)
      let reading = await workload(count)
      print(reading.wall / .nanoseconds(1) / Double(count))
      finished.signal()
    }
    finished.wait()
  }
}
