import Reactor
import ReactorRuntime

/// The creation of a reactor, running or pending: a node in the graph of which creation waits for
/// which, shared by all registries.
final class ReactorCreation: Sendable {
  /// The creation that the current task is part of.
  @TaskLocal static var current: ReactorCreation?

  private let key: @Sendable () -> String

  init(of id: some Hashable & Sendable) { key = { ReportText.text(of: id) } }

  fileprivate var text: String { key() }
}

/// An edge of the graph: one creation that waits for another.
final class CreationWait: Sendable, Identifiable {
  /// The waits, by the creation that waits.
  private typealias Graph = [ObjectIdentifier: IdentityList<CreationWait>]

  /// It has only creations that are running, and no other lock is taken under its lock.
  private static let graph = Guarded(Graph())

  private let creator: ReactorCreation
  private let other: ReactorCreation

  init(_ creator: ReactorCreation, for other: ReactorCreation) {
    (self.creator, self.other) = (creator, other)
  }

  /// Adds the wait, unless the other creation already waits for this one.
  ///
  /// - Returns: The keys of the cycle that it would be.
  func begin() -> [String]? {
    let cycle = Self.graph.withLock { graph -> [ReactorCreation]? in
      let path = shortestPath(from: [other], to: creator) { creation in
        graph[ObjectIdentifier(creation)]?.all.map(\.other) ?? []
      }
      if let path { return [creator] + path }
      graph[ObjectIdentifier(creator), default: IdentityList()].append(self)
      return nil
    }
    return cycle?.map(\.text)
  }

  /// Removes the wait.
  func end() {
    let key = ObjectIdentifier(creator)
    Self.graph.withLock { graph in
      graph[key]?.remove(id)
      if graph[key]?.isEmpty == true { graph[key] = nil }
    }
  }
}
