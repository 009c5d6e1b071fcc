extension ReactorCluster.Place {
  /// A PostgreSQL database, version 15 or later, for any number of hosts.
  ///
  /// The first host creates the tables or updates them. Any program that may use the database may
  /// call the hosts, since the secret that hosts send to each other is stored there.
  ///
  /// - Parameters:
  ///   - info: The connection string for libpq: `host=10.0.0.2 dbname=shop user=shop`, or a URL.
  ///   - schema: The schema for the tables; no others are touched.
  ///   - connections: The maximum number of connections of this host, besides the one for its
  ///     lease.
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
