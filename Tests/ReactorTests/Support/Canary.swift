import TestSupport

/// Reports when it has been released: in a state, when the pipeline is, which keeps its last state
/// as long as itself.
final class Canary: Sendable, Equatable {
  private let released: Gate

  init(_ released: Gate) { self.released = released }

  deinit { released.open() }

  static func == (left: Canary, right: Canary) -> Bool { left === right }
}
