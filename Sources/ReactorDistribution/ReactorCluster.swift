public import Reactor
public import ReactorJournal

/// One reactor for each key over many hosts, with one owner at a time.
///
/// ```swift
/// let cluster = try await ReactorCluster(
///   .postgres("host=… dbname=…"), address: "http://10.0.0.7:8080")
/// let carts = cluster.registry(of: CartReactor.self) { id in CartReactor() }
/// let total = try await carts["42"].ask { .checkOut($0) }  // here, or on the host that owns 42
/// ```
///
/// With `.inMemory` or `.sqlite(at:)` the same program runs on one host and calls no other. Several
/// hosts, also on one machine, need `.postgres`.
///
/// **One writer**: of all hosts, only the owner of a reactor can write its journal. The store
/// decides this in the statement that writes. Answers and states leave a host after the mutations
/// before them are in the journal. A host that was paused or disconnected cannot write, so its
/// answers to actions with mutations are not used. Its answer to an action without mutations may be
/// stale.
///
/// **If a host is lost**, its lease expires. Another host that receives a call for one of its
/// reactors takes the reactor and continues from the journal. A host that ends in order hands over
/// its reactors at once: call ``drain()``, or add the cluster to a `ReactorService`.
public final class ReactorCluster: Drainable {
  /// The kind of store that a cluster uses.
  public struct Place: Sendable {
    let open:
      @Sendable (ClusterOptions) async throws -> (
        store: any ClusterStore, transport: any ClusterTransport
      )

    /// Memory, on this host alone, for tests and previews; it lasts as long as the cluster.
    public static var inMemory: Place {
      Place { (MemoryClusterStore(clock: $0.journal.clock, isSingleHost: true), NoTransport()) }
    }

    /// A SQLite file, on this host alone, which is created if it does not exist; see `SQLiteStore`.
    ///
    /// A reactor that one process or cluster has open cannot be opened by another one. The other
    /// one waits for ``ClusterOptions/retryTimeout``, and its call then fails with that reason.
    ///
    /// - Parameter path: The path of the file.
    /// - Returns: The place.
    public static func sqlite(at path: String) -> Place {
      Place {
        let journals = try await SQLiteStore(path: path)
        return (LocalClusterStore(journals, in: path, clock: $0.journal.clock), NoTransport())
      }
    }
  }

  let node: ClusterNode

  /// Joins a cluster, and starts to answer other hosts.
  ///
  /// - Parameters:
  ///   - place: The store.
  ///   - address: The address at which other hosts reach this one.
  ///   - options: The options for all of its reactors.
  /// - Throws: ``ClusterError/unusable(_:)`` if the store cannot be used, or if the database has a
  ///   standby and waits for none; ``ClusterError/invalid(_:)`` if the address or the options are
  ///   invalid.
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

  /// Makes a registry for the reactors of one type.
  ///
  /// Call it once for each type, on every host that is to have such reactors. Call it before the
  /// first call from another host arrives, so preferably right after the cluster is created.
  ///
  /// - Parameters:
  ///   - type: The type; its `journalName` is its name between hosts.
  ///   - idle: How long an unused reactor stays on its host; `nil` for no limit.
  ///   - make: Makes an unused reactor. What it throws is thrown to the caller; a caller on another
  ///     host receives a ``ClusterFailure`` with the same description.
  /// - Returns: The registry.
  public func registry<R: JournaledReactor>(
    of type: R.Type, idle: Duration? = .seconds(60),
    _ make: @escaping @Sendable (_ id: String) async throws -> R
  ) -> ClusterRegistry<R> where R.Action: Codable {
    let kind = ClusterKind<R>(node.store, node.options, idle: idle, make)
    node.add(kind)
    return ClusterRegistry(node: node, kind: kind)
  }

  /// Allows a reactor to be taken again after it was taken too often without being recovered.
  ///
  /// - Parameters:
  ///   - id: The identifier among the reactors of this type.
  ///   - type: The type of the reactor.
  /// - Throws: What the store throws.
  public func clearPoisoned<R: JournaledReactor>(_ id: String, of type: R.Type) async throws {
    try await node.store.clearPoisoned(JournalKey(name: R.journalName, id: ClusterKey.normal(id)))
  }

  /// Hands over every reactor of this host, and leaves the cluster.
  ///
  /// Each reactor is drained first; the next host can then take it at once. This host still
  /// delivers the outcomes of calls to their callers on other hosts. If a caller does not request
  /// the outcome again, this waits for it for the duration of a lease.
  ///
  /// **Cancellation**: effects that are still running are cancelled.
  ///
  /// - Returns: The work that was not done.
  @discardableResult
  nonisolated(nonsending) public func drain() async -> [AbandonedWork] { await node.drain() }
}

/// The reactors of one type in a cluster.
///
/// ```swift
/// let carts = cluster.registry(of: CartReactor.self) { id in CartReactor() }
/// let total = try await carts["42"].ask { .checkOut($0) }
/// ```
///
/// ``ReactorCluster/registry(of:idle:_:)`` makes it, once for each type. Keep it, for example in
/// your router.
public struct ClusterRegistry<R: JournaledReactor>: Sendable where R.Action: Codable {
  let node: ClusterNode
  let kind: ClusterKind<R>

  /// Returns a handle for one reactor, on whichever host it is; nothing happens until the handle is
  /// used.
  ///
  /// Unicode forms of a key that are equal in Swift give the same key. A key that contains a NUL or
  /// has more than 1,024 bytes throws ``ClusterError/wrongKey(_:)`` when it is used.
  public subscript(id: String) -> ClusteredReactor<R> {
    ClusteredReactor(id: ClusterKey.normal(id), node: node, kind: kind)
  }

  /// The identifiers of all stored reactors of the type, on every host.
  ///
  /// Each page is one query to the store. It makes or moves no reactor.
  public var ids: JournalIDs { JournalIDs(name: R.journalName, node.store.ids) }

  /// The identifiers of the reactors that are on this host now.
  public var idsHere: [String] { kind.local?.journals.keys.map(\.id) ?? [] }
}
