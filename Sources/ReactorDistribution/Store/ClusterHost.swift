public import Foundation

/// The identifier of one incarnation of a process in a cluster.
///
/// A process gets a new identifier at every start, and whenever its lease has expired. An
/// identifier is never reused.
public struct HostID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The identifier in the store.
  public let uuid: UUID

  /// Creates an identifier.
  ///
  /// - Parameter uuid: The identifier in the store.
  public init(_ uuid: UUID) { self.uuid = uuid }

  /// The first eight digits, for reports.
  public var description: String { String(uuid.uuidString.prefix(8)).lowercased() }
}

/// A host of a cluster, with its address.
public struct ClusterHost: Hashable, Sendable, Codable, CustomStringConvertible {
  /// The identifier of this incarnation of the process.
  public let id: HostID
  /// The address that the host has given, such as `http://10.0.0.7:8080`.
  public let address: String

  /// Creates a host.
  public init(id: HostID, address: String) { (self.id, self.address) = (id, address) }

  /// A description for reports.
  public var description: String { "\(address) (\(id))" }
}

/// A database and the history that it has.
///
/// A standby that takes over begins another timeline. If it had not received everything,
/// acknowledged entries may be lost. So every host starts a new incarnation when this value
/// changes.
public struct ClusterTerm: Hashable, Sendable {
  /// The identifier of the database.
  public let system: String
  /// The timeline of the database; it increases whenever a standby takes over.
  public let timeline: Int

  /// Creates a term.
  public init(system: String, timeline: Int) { (self.system, self.timeline) = (system, timeline) }
}

/// The state of the cluster that a host receives with each renewal of its lease.
public struct ClusterView: Hashable, Sendable {
  /// The hosts with valid leases that take reactors, in the order of their identifiers.
  public var hosts: [ClusterHost]
  /// The database and its history.
  public var term: ClusterTerm
  /// Whether the database has a standby, and acknowledges writes without waiting for one.
  ///
  /// A failover then loses acknowledged entries.
  public var hasAsynchronousStandby = false

  /// Creates a view.
  public init(hosts: [ClusterHost], term: ClusterTerm) { (self.hosts, self.term) = (hosts, term) }
}

/// The host that owns a reactor.
public struct ClusterOwner: Hashable, Sendable, Codable {
  /// The host, whose lease is valid.
  public let host: ClusterHost
  /// How often the reactor had been taken when this host took it.
  public let epoch: Int

  /// Creates an owner.
  public init(host: ClusterHost, epoch: Int) { (self.host, self.epoch) = (host, epoch) }
}
