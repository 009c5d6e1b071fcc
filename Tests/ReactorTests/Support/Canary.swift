import TestSupport

/// Tells when it has been let go: in a state, when the pipeline goes, which has its last state for
/// as long as itself.
final class Canary: Sendable, Equatable {
  private let gone: Gate

  init(_ gone: Gate) { self.gone = gone }

  deinit { gone.open() }

  static func == (left: Canary, right: Canary) -> Bool { left === right }
}
