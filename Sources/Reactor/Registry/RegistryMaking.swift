/// A reactor that is being made, or is to be: a place in the one graph, over all registries, of
/// which making waits for which.
///
/// `@unchecked`. Guard of `waitsFor`: the lock of the graph.
final class RegistryMaking: @unchecked Sendable {
  /// The making that something is part of.
  @TaskLocal static var current: RegistryMaking?

  /// Nothing else is locked under it.
  private static let graph = Guarded(())

  private let key: @Sendable () -> String
  /// What it waits for in turn.
  private var waitsFor: [RegistryMaking] = []

  init(of id: some Hashable & Sendable) { key = { ReportText.text(of: id) } }

  /// Has another making wait for this one, unless this one waits for that.
  ///
  /// - Parameter maker: Who waits; `nil` if it is no making.
  /// - Returns: The keys of the circle that it would be.
  func holdUp(_ maker: RegistryMaking?) -> [String]? {
    guard let maker else { return nil }
    let circle = Self.graph.withLock { _ -> [RegistryMaking]? in
      var seen: Set<ObjectIdentifier> = []
      if let way = way(to: maker, &seen) { return [maker] + way }
      maker.waitsFor.append(self)
      return nil
    }
    return circle?.map { $0.key() }
  }

  /// The other one waits for this one no longer.
  func letGoOn(_ maker: RegistryMaking?) {
    guard let maker else { return }
    Self.graph.withLock { _ in
      guard let place = maker.waitsFor.firstIndex(where: { $0 === self }) else { return }
      maker.waitsFor.remove(at: place)
    }
  }

  private func way(
    to maker: RegistryMaking, _ seen: inout Set<ObjectIdentifier>
  ) -> [RegistryMaking]? {
    if self === maker { return [self] }
    guard seen.insert(ObjectIdentifier(self)).inserted else { return nil }
    for next in waitsFor {
      if let way = next.way(to: maker, &seen) { return [self] + way }
    }
    return nil
  }
}
