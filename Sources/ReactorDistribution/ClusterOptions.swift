package import Foundation
public import ReactorJournal

/// What is decided for all reactors of a cluster.
public struct ClusterOptions: Sendable {
  /// How long a host's lease lasts.
  ///
  /// A host that is gone without a word is missed for so long; it renews its lease each third of
  /// that. Longer than any pause of a process that is usual.
  public var lease: Duration
  /// How long a call looks for a host that answers, before it gives up.
  public var patience: Duration
  /// How many calls of others a host works on at a time; more are told that it is overloaded.
  public var callLimit: Int
  /// How many bytes a call, or its answer, has at most.
  public var bodyLimit: Int
  /// How often a reactor may be taken without having recovered, before it is taken no more.
  public var takingLimit: Int
  /// How long it is known that a command has been done.
  public var keepsCommands: Duration
  /// How many reactors are handed over at a time, when a host comes or this one goes.
  public var movesAtOnce: Int
  /// Whether the database may have a standby and wait for none (`synchronous_standby_names`).
  ///
  /// A failover to such a one takes back what had been acknowledged. So a host does not start where
  /// it finds one, and reports one that comes later; unless this is set, as for standbys that are
  /// read from and never take over.
  public var acceptsAsynchronousStandby = false
  /// How mutations and states become bytes.
  public var codec: any JournalCodec
  /// What is decided for the journals; its clock is the cluster's too.
  public var journal: JournalOptions

  /// Told of what must not vanish quietly; by default it writes a line on standard error.
  ///
  /// It is called on any thread, and should return soon.
  public var report: @Sendable (ClusterReport) -> Void = { ClusterReport.write($0) }

  /// New identifiers of hosts and commands; a simulation has its own.
  package var makeID: @Sendable () -> UUID = { UUID() }

  /// What is usual.
  public init(
    lease: Duration = .seconds(5), patience: Duration = .seconds(30), callLimit: Int = 1_024,
    bodyLimit: Int = 1 << 20, takingLimit: Int = 5, keepsCommands: Duration = .seconds(86_400),
    movesAtOnce: Int = 16, codec: any JournalCodec = JSONJournalCodec(),
    journal: JournalOptions = JournalOptions()
  ) {
    (self.lease, self.patience, self.callLimit) = (lease, patience, callLimit)
    (self.bodyLimit, self.takingLimit, self.keepsCommands) = (bodyLimit, takingLimit, keepsCommands)
    (self.movesAtOnce, self.codec, self.journal) = (movesAtOnce, codec, journal)
  }

  /// The same, with no time longer than a hundred years.
  func bounded() -> ClusterOptions {
    var options = self
    options.lease = lease.bounded
    options.patience = patience.bounded
    options.keepsCommands = keepsCommands.bounded
    return options
  }

  /// - Throws: ``ClusterError/invalid(_:)`` for what no cluster can go on.
  func check() throws {
    guard lease > .zero, patience >= .zero, keepsCommands >= .zero else {
      throw ClusterError.invalid("a lease lasts for a time, and no time is negative")
    }
    guard min(callLimit, bodyLimit, takingLimit, movesAtOnce) > 0 else {
      throw ClusterError.invalid("a limit of a cluster is 1 at least")
    }
  }
}
