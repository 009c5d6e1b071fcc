/// A reactor that is being made, or is to be: a place in the one graph, over all registries, of
/// which making waits for which.
final class RegistryMaking: Sendable {
  /// Which making waits for which; the others are not in it.
  private struct Graph: Sendable {
    private var waits: [ObjectIdentifier: [RegistryMaking]] = [:]

    mutating func have(_ maker: RegistryMaking, waitFor other: RegistryMaking) {
      waits[ObjectIdentifier(maker), default: []].append(other)
    }

    mutating func have(_ maker: RegistryMaking, waitNoLongerFor other: RegistryMaking) {
      let id = ObjectIdentifier(maker)
      guard let place = waits[id]?.firstIndex(where: { $0 === other }) else { return }
      waits[id]?.remove(at: place)
      if waits[id]?.isEmpty == true { waits[id] = nil }
    }

    /// Who waits for whom, from one to another, both of them included.
    func way(from start: RegistryMaking, to end: RegistryMaking) -> [RegistryMaking]? {
      var seen: Set<ObjectIdentifier> = []
      return way(from: start, to: end, &seen)
    }

    private func way(
      from start: RegistryMaking, to end: RegistryMaking, _ seen: inout Set<ObjectIdentifier>
    ) -> [RegistryMaking]? {
      if start === end { return [start] }
      guard seen.insert(ObjectIdentifier(start)).inserted else { return nil }
      for next in waits[ObjectIdentifier(start)] ?? [] {
        if let way = way(from: next, to: end, &seen) { return [start] + way }
      }
      return nil
    }
  }

  /// The making that something is part of.
  @TaskLocal static var current: RegistryMaking?

  /// In it are makings that go on, and makings alone; nothing else is locked under it.
  private static let graph = Guarded(Graph())

  private let key: @Sendable () -> String

  init(of id: some Hashable & Sendable) { key = { ReportText.text(of: id) } }

  /// Has another making wait for this one, unless this one waits for that.
  ///
  /// - Parameter maker: Who waits; `nil` if it is no making.
  /// - Returns: The keys of the circle that it would be.
  func holdUp(_ maker: RegistryMaking?) -> [String]? {
    guard let maker else { return nil }
    let circle = Self.graph.withLock { graph -> [RegistryMaking]? in
      if let way = graph.way(from: self, to: maker) { return [maker] + way }
      graph.have(maker, waitFor: self)
      return nil
    }
    return circle?.map { $0.key() }
  }

  /// The other one waits for this one no longer.
  func letGoOn(_ maker: RegistryMaking?) {
    guard let maker else { return }
    Self.graph.withLock { $0.have(maker, waitNoLongerFor: self) }
  }
}
