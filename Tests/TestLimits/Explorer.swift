/// Enumerates every sequence of events up to a depth, and checks each state that it reaches.
///
/// A world is a machine and what a test knows of it: which numbers were given, what has ended. Two
/// sequences that lead to equal worlds are followed as one, so the world must hold all that the
/// checks look at.
package protocol ExploredWorld: Hashable {
  associatedtype Event: Hashable

  /// What can happen next.
  var events: [Event] { get }
  /// Lets it happen.
  ///
  /// - Returns: What is wrong afterwards, if something is.
  mutating func apply(_ event: Event) -> String?
}

/// What an exploration saw.
package struct Exploration<World: ExploredWorld> {
  package var states = 0
  package var transitions = 0
  /// The events that lead to the first fault found, one of the shortest such sequences, and the
  /// fault.
  package var fault: (trace: [World.Event], text: String)?

  package init(of initial: World, depth: Int) {
    var worlds = [initial]
    var known: Set = [initial]
    var steps: [(from: Int, event: World.Event)?] = [nil]
    var level = 0..<1
    for _ in 0..<depth {
      for index in level {
        for event in worlds[index].events {
          transitions += 1
          var following = worlds[index]
          if let text = following.apply(event) {
            fault = (Self.trace(to: index, by: steps) + [event], text)
            states = worlds.count
            return
          }
          guard known.insert(following).inserted else { continue }
          worlds.append(following)
          steps.append((index, event))
        }
      }
      level = level.upperBound..<worlds.count
    }
    states = worlds.count
  }

  private static func trace(
    to index: Int, by steps: [(from: Int, event: World.Event)?]
  ) -> [World.Event] {
    var trace: [World.Event] = []
    var index = index
    while let step = steps[index] {
      trace.append(step.event)
      index = step.from
    }
    return trace.reversed()
  }

  /// What it saw, for a test to pin: a search that has shrunk is noticed.
  package var size: String { "\(states) states, \(transitions) transitions" }
}

extension Exploration {
  /// The fault, as a failing test shows it.
  package var report: String? {
    fault.map { "\($0.text), after \($0.trace.map { "\($0)" }.joined(separator: ", "))" }
  }
}
