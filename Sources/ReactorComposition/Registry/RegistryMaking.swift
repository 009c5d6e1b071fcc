import Reactor
import ReactorRuntime

/// A reactor that is being made, or is to be: a place in the one graph, over all registries, of
/// which making waits for which.
final class RegistryMaking: Sendable {
  /// The making that something is part of.
  @TaskLocal static var current: RegistryMaking?

  private let key: @Sendable () -> String

  init(of id: some Hashable & Sendable) { key = { ReportText.text(of: id) } }

  fileprivate var text: String { key() }
}

/// One making that waits for another.
final class MakingWait: Sendable, Identifiable {
  /// By the making that waits; the others are not in it.
  private typealias Graph = [ObjectIdentifier: IdentityList<MakingWait>]

  /// In it are makings that go on, and makings alone; nothing else is locked under it.
  private static let graph = Guarded(Graph())

  private let maker: RegistryMaking
  private let other: RegistryMaking

  init(_ maker: RegistryMaking, for other: RegistryMaking) {
    (self.maker, self.other) = (maker, other)
  }

  /// The making waits from here on, unless the other one waits for it.
  ///
  /// - Returns: The keys of the circle that it would be.
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

  /// It waits no longer.
  func end() {
    let key = ObjectIdentifier(maker)
    Self.graph.withLock { graph in
      graph[key]?.remove(id)
      if graph[key]?.isEmpty == true { graph[key] = nil }
    }
  }
}
