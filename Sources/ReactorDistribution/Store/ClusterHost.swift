public import Foundation

/// One life of a process that is part of a cluster.
///
/// It is new at every start, and again whenever its lease has run out, and never used twice.
public struct HostID: Hashable, Sendable, Codable, CustomStringConvertible {
  /// What it is in the store.
  public let uuid: UUID

  /// - Parameter uuid: What it is in the store.
  public init(_ uuid: UUID) { self.uuid = uuid }

  /// The first eight digits, for a report.
  public var description: String { String(uuid.uuidString.prefix(8)).lowercased() }
}

/// A host, and where it can be called.
public struct ClusterHost: Hashable, Sendable, Codable, CustomStringConvertible {
  /// Which life of which process.
  public let id: HostID
  /// Its address, as it said itself: `http://10.0.0.7:8080`.
  public let address: String

  /// All there is to it.
  public init(id: HostID, address: String) { (self.id, self.address) = (id, address) }

  /// In words, for a report.
  public var description: String { "\(address) (\(id))" }
}

/// Which history of which database answers.
///
/// A standby that takes over begins another timeline. Where it did not have everything, it may have
/// taken back what was acknowledged, so every host begins anew when this changes.
public struct ClusterTerm: Hashable, Sendable {
  /// The database's own identifier.
  public let system: String
  /// Grows whenever a standby takes over.
  public let timeline: Int

  /// All there is to it.
  public init(system: String, timeline: Int) { (self.system, self.timeline) = (system, timeline) }
}

/// What a host learns with each renewal of its lease.
public struct ClusterView: Hashable, Sendable {
  /// The hosts whose leases last and that take reactors, in order of their identifiers.
  public var hosts: [ClusterHost]
  /// Which history of which database this is.
  public var term: ClusterTerm
  /// Whether the database has a standby, and waits for none before it says that something is kept:
  /// a failover takes back what had been acknowledged.
  public var hasAsynchronousStandby = false

  /// All there is to it.
  public init(hosts: [ClusterHost], term: ClusterTerm) { (self.hosts, self.term) = (hosts, term) }
}

/// The host that has a reactor.
public struct ClusterOwner: Hashable, Sendable, Codable {
  /// The host, whose lease lasts.
  public let host: ClusterHost
  /// How often the reactor had been taken when this host took it.
  public let epoch: Int

  /// All there is to it.
  public init(host: ClusterHost, epoch: Int) { (self.host, self.epoch) = (host, epoch) }
}
