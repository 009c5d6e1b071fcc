import Reactor
import ReactorRuntime

/// The creation of a reactor, running or pending: a node in the graph of which creation waits for
/// which, shared by all registries.
final class RegistryMaking: Sendable {
  /// The creation that the current task is part of.
  @TaskLocal static var current: RegistryMaking?

  private let key: @Sendable () -> String

  init(of id: some Hashable & Sendable) { key = { ReportText.text(of: id) } }

  fileprivate var text: String { key() }
}

/// An edge of the graph: one creation that waits for another.
final class MakingWait: Sendable, Identifiable {
  /// The waits, by the creation that waits.
  private typealias Graph = [ObjectIdentifier: IdentityList<MakingWait>]

  /// It has only creations that are running, and no other lock is taken under its lock.
  private static let graph = Guarded(Graph())

  private let maker: RegistryMaking
  private let other: RegistryMaking

  init(_ maker: RegistryMaking, for other: RegistryMaking) {
    (self.maker, self.other) = (maker, other)
  }

  /// Adds the wait, unless the other creation already waits for this one.
  ///
  /// - Returns: The keys of the cycle that it would be.
  func begin() -> [String]? {
    let circle = Self.graph.withLock { graph -> [RegistryMaking]? in
      let path = shortestPath(from: [other], to: maker) { making in
        graph[ObjectIdentifier(making)]?.all.map(\.other) ?? []
      }
      if let path { return [maker] + path }
      graph[ObjectIdentifier(maker), default: IdentityList()].append(self)
      return nil
    }
    return circle?.map(\.text)
  }

  /// Removes the wait.
  func end() {
    let key = ObjectIdentifier(maker)
    Self.graph.withLock { graph in
      graph[key]?.remove(id)
      if graph[key]?.isEmpty == true { graph[key] = nil }
    }
  }
}
