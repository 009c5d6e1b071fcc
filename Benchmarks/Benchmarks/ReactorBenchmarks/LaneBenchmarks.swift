import Workloads

/// What a lane costs: the same reactor, with an action that has one and one that has none.
func measureLanes() {
  Comparison.compare(
    "at once, in a lane", with: "at once, in none", atMost: nil, Lanes.latest, Lanes.free)
  Comparison.compare(
    "effect, in a lane", with: "effect, in none", atMost: nil,
    Lanes.latestEffect, Lanes.freeEffect)
  Comparison.compare(
    "effect that suspends, in a lane", with: "effect that suspends, in none", atMost: nil,
    Lanes.latestWaiting, Lanes.freeWaiting)
}
