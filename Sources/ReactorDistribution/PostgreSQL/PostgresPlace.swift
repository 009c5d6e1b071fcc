extension ReactorCluster.Place {
  /// A PostgreSQL database, 15 or later: for any number of hosts.
  ///
  /// The tables are made, and brought up to date, by whichever host comes first. A program that may
  /// use the database may call the hosts: the secret by which they know each other is kept there.
  ///
  /// - Parameters:
  ///   - info: Where it is, as libpq has it: `host=10.0.0.2 dbname=shop user=shop`, or a URL.
  ///   - schema: The schema for the tables; no others are touched.
  ///   - connections: How many connections this host has at most.
  /// - Returns: The place.
  public static func postgres(
    _ info: String, schema: String = "reactor", connections: Int = 4
  ) -> Self {
    Self { options in
      let store = try await PostgresStore(
        info, schema: schema, connections: connections, timeout: options.lease)
      return (store, HTTPTransport(bodyLimit: options.bodyLimit, callLimit: options.callLimit))
    }
  }
}
