public import Reactor
public import ReactorJournal

/// Reactors over many hosts, one for each key: wherever it is, there is no other.
///
/// ```swift
/// let cluster = try await ReactorCluster(
///   .postgres("host=… dbname=…"), address: "http://10.0.0.7:8080")
/// let carts = cluster.registry(of: CartReactor.self) { id in CartReactor() }
/// let total = try await carts["42"].ask { .checkOut($0) }  // here, or on the host that owns 42
/// ```
///
/// With `.inMemory` or `.sqlite(at:)` the same program runs on one host and calls no other; several
/// hosts, also on one machine, need `.postgres`.
///
/// **One writer anywhere**: of all hosts only the reactor's owner can write into its journal, which
/// the store decides in the statement that writes. What leaves a host (answers, states) is in the
/// journal. A host that was paused or cut off can neither write nor be believed.
///
/// **When a host is gone**, its lease runs out, and the host that is asked next for one of its
/// reactors takes it and goes on from the journal. A host that goes in order hands over at once:
/// call ``drain()``, or put the cluster into a `ReactorService`.
public final class ReactorCluster: Drainable {
  /// Which store.
  public struct Place: Sendable {
    let open:
      @Sendable (ClusterOptions) async throws -> (
        store: any ClusterStore, transport: any ClusterTransport
      )

    /// For tests and previews: lasts as long as the cluster, on this host alone.
    public static var inMemory: Place {
      Place { (MemoryClusterStore(clock: $0.journal.clock, isAlone: true), NoTransport()) }
    }

    /// A file, made if it is not there, on this host alone; see `SQLiteStore`.
    ///
    /// What one process or cluster has in it, another one cannot have meanwhile: it waits for
    /// ``ClusterOptions/patience``, and is told so then.
    ///
    /// - Parameter path: The file.
    /// - Returns: The place.
    public static func sqlite(at path: String) -> Place {
      Place {
        let journals = try await SQLiteStore(path: path)
        return (LocalClusterStore(journals, in: path, clock: $0.journal.clock), NoTransport())
      }
    }
  }

  let node: ClusterNode

  /// Enters a cluster, and begins to answer other hosts.
  ///
  /// - Parameters:
  ///   - place: Where everything is kept.
  ///   - address: Where other hosts reach this one.
  ///   - options: What is decided for all of its reactors.
  /// - Throws: ``ClusterError/unusable(_:)``, also where the database has a standby for which it
  ///   does not wait; or ``ClusterError/invalid(_:)`` for an address that is none, and for options
  ///   that are.
  public init(
    _ place: Place, address: String = "http://127.0.0.1:0",
    options: ClusterOptions = ClusterOptions()
  ) async throws {
    try options.check()
    let options = options.bounded()
    let (store, transport) = try await place.open(options)
    node = ClusterNode(store, transport, address: address, options)
    do {
      try await node.start()
    } catch {
      await store.close()
      throw error
    }
  }

  package init(node: ClusterNode) { self.node = node }

  /// The reactors of one type.
  ///
  /// Make it once for each type, and on every host that is to have some; before the first call
  /// from elsewhere, so best right after the cluster.
  ///
  /// - Parameters:
  ///   - type: The type; its `journalName` is what it is called between hosts.
  ///   - idle: How long a reactor stays that is not used; `nil` for ever.
  ///   - make: Makes a reactor that has not been used; what it throws is thrown to the caller,
  ///     and to one on another host as a ``ClusterFailure`` that says the same.
  /// - Returns: The registry.
  public func registry<R: JournaledReactor>(
    of type: R.Type, idle: Duration? = .seconds(60),
    _ make: @escaping @Sendable (_ id: String) async throws -> R
  ) -> ClusterRegistry<R> where R.Action: Codable {
    let kind = ClusterKind<R>(node.store, node.options, idle: idle, make)
    node.add(kind)
    return ClusterRegistry(node: node, kind: kind)
  }

  /// Lets a reactor be taken again that was taken too often without recovering.
  ///
  /// - Parameters:
  ///   - id: Which of the reactors of this type.
  ///   - type: The type.
  /// - Throws: What the store throws.
  public func pardon<R: JournaledReactor>(_ id: String, of type: R.Type) async throws {
    try await node.store.pardon(JournalKey(name: R.journalName, id: ClusterKey.normal(id)))
  }

  /// As ``pardon(_:of:)``.
  @available(*, deprecated, renamed: "pardon(_:of:)")
  public func pardon<R: JournaledReactor>(_ type: R.Type, id: String) async throws {
    try await pardon(id, of: type)
  }

  /// Hands over every reactor that is here, and leaves.
  ///
  /// Each comes to its end first, and the next host takes it then at once. A caller on
  /// another host is told what came of its call; one that does not ask again for that is waited
  /// for as long as a lease lasts. Cancelled, what still runs is cut short.
  ///
  /// - Returns: What was not done.
  @discardableResult
  nonisolated(nonsending) public func drain() async -> [AbandonedWork] { await node.drain() }
}

/// The reactors of one type in a cluster.
public struct ClusterRegistry<R: JournaledReactor>: Sendable where R.Action: Codable {
  let node: ClusterNode
  let kind: ClusterKind<R>

  /// One of them, wherever it is; nothing happens before it is used.
  ///
  /// Two ways of writing the same characters are one key. One with a NUL in it, or of more than
  /// 1,024 bytes, is ``ClusterError/wrongKey(_:)`` when it is used.
  public subscript(id: String) -> ClusteredReactor<R> {
    ClusteredReactor(id: ClusterKey.normal(id), node: node, kind: kind)
  }

  /// The identifiers of all reactors of the type of which something is kept, on whichever host.
  ///
  /// Each page is one question to the store; no reactor is made or moved by it.
  public var ids: JournalIDs { JournalIDs(name: R.journalName, node.store.ids) }

  /// Those that are on this host now.
  public var idsHere: [String] { kind.local?.journals.keys.map(\.id) ?? [] }
}
