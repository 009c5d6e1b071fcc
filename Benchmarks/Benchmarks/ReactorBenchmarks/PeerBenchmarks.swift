import Workloads

/// Beside what does the same job: these inform, nothing depends on them.
func measurePeers() {
  Comparison.compare(
    "send, no observer", with: "OpenCombine scan, one sink", atMost: nil,
    Sending.noObserver, Peers.scan)
  Comparison.compare(
    "send, no observer", with: "ReactorKit's shape on OpenCombine", atMost: nil,
    Sending.noObserver, Peers.reactorKit(subscribers: 0))
  Comparison.compare(
    "send, one observer", with: "ReactorKit's shape on OpenCombine", atMost: nil,
    Watching.oneObserver, Peers.reactorKit(subscribers: 1))
  Comparison.compare(
    "send, observer in step", with: "ReactorKit's shape on OpenCombine", atMost: nil, count: 3_000,
    Peers.reactorInStep, Peers.reactorKit(subscribers: 1))
  Comparison.compare(
    "send, 10 observers", with: "ReactorKit's shape on OpenCombine", atMost: nil,
    Watching.waitingObservers(10), Peers.reactorKit(subscribers: 10))
  Comparison.compare(
    "effect of 3 mutations", with: "ReactorKit's shape on OpenCombine", atMost: nil,
    Effects.three, Peers.reactorKitThree)
  Comparison.compare(
    "reactor made, used once, let go", with: "ReactorKit's shape on OpenCombine", atMost: nil,
    count: 3_000, Sending.createUseRelease, Peers.reactorKitCreateUseRelease)
}
