package import Foundation
public import ReactorJournal

/// Options for all reactors of a cluster.
public struct ClusterOptions: Sendable {
  /// How long a host's lease lasts.
  ///
  /// If a host is lost, its reactors are unavailable for this long. A host renews its lease each
  /// third of this time. Choose it longer than any usual pause of the process.
  public var lease: Duration
  /// How long a call is retried if no host responds, before it fails.
  public var retryTimeout: Duration
  /// How many calls from other hosts a host processes at a time; it rejects more calls as
  /// overloaded.
  public var callLimit: Int
  /// The maximum size of a call or an answer, in bytes.
  public var bodyLimit: Int
  /// How many owners of a reactor may end before they have recovered it.
  ///
  /// After that, no host takes it until ``ReactorCluster/clearPoisoned(_:of:)``.
  public var recoveryAttemptLimit: Int
  /// How long a finished command is stored, so that a repeated call is recognised.
  public var commandRetention: Duration
  /// How many reactors are handed over at a time, when another host joins or this one leaves.
  public var handoverLimit: Int
  /// Whether the database may have a standby without waiting for one (`synchronous_standby_names`).
  ///
  /// A failover to such a standby loses acknowledged entries. So a host does not start if it finds
  /// one, and reports one that is attached later. Set this option if the standbys are only read
  /// from and never take over.
  public var acceptsAsynchronousStandby = false
  /// Encodes mutations and states.
  public var codec: any JournalCodec
  /// The options of the journals; the cluster uses their clock too.
  public var journal: JournalOptions

  /// Receives reports for the operator; by default it writes a line to standard error.
  ///
  /// It is called on any thread, and should return soon.
  public var report: @Sendable (ClusterReport) -> Void = { ClusterReport.write($0) }

  /// Makes identifiers of hosts and commands; a simulation replaces it.
  package var makeID: @Sendable () -> UUID = { UUID() }

  /// Creates options; the defaults suit most clusters.
  public init(
    lease: Duration = .seconds(5), retryTimeout: Duration = .seconds(30), callLimit: Int = 1_024,
    bodyLimit: Int = 1 << 20, recoveryAttemptLimit: Int = 5,
    commandRetention: Duration = .seconds(86_400), handoverLimit: Int = 16,
    codec: any JournalCodec = JSONJournalCodec(), journal: JournalOptions = JournalOptions()
  ) {
    (self.lease, self.retryTimeout, self.callLimit) = (lease, retryTimeout, callLimit)
    (self.bodyLimit, self.recoveryAttemptLimit) = (bodyLimit, recoveryAttemptLimit)
    (self.commandRetention, self.handoverLimit) = (commandRetention, handoverLimit)
    (self.codec, self.journal) = (codec, journal)
  }

  /// Returns the options with each time limited to a hundred years.
  func bounded() -> ClusterOptions {
    var options = self
    options.lease = lease.bounded
    options.retryTimeout = retryTimeout.bounded
    options.commandRetention = commandRetention.bounded
    return options
  }

  /// Checks that the options are valid.
  ///
  /// - Throws: ``ClusterError/invalid(_:)`` if they are not.
  func check() throws {
    guard lease > .zero, retryTimeout >= .zero, commandRetention >= .zero else {
      throw ClusterError.invalid("a lease lasts for a time, and no time is negative")
    }
    guard min(callLimit, bodyLimit, recoveryAttemptLimit, handoverLimit) > 0 else {
      throw ClusterError.invalid("a limit of a cluster is 1 at least")
    }
  }
}
