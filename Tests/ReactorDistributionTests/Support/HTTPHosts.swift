import Foundation
import Reactor
import TestSupport

@testable import ReactorDistribution

/// A host of this process, which others call over HTTP.
struct HTTPHost: Sendable {
  let cluster: ReactorCluster
  let lists: ClusterRegistry<ListReactor>
  let address: String
}

/// Runs something with hosts of one cluster, and has them leave after it.
func httpHosts(
  _ count: Int, on info: String? = nil, schema: String = PostgresServer.name(),
  options: ClusterOptions = ClusterOptions(),
  onAction: @escaping @Sendable (ListReactor.Action) -> Void = { _ in },
  _ body: @Sendable ([HTTPHost]) async throws -> Void
) async throws {
  let server = try await PostgresServer.shared.info
  var hosts: [HTTPHost] = []
  for _ in 0..<count {
    let address = "http://127.0.0.1:\(try PostgresServer.freePort())"
    let cluster = try await ReactorCluster(
      .postgres(info ?? server, schema: schema), address: address, options: options)
    let lists = cluster.registry(of: ListReactor.self) { _ in ListReactor(onAction: onAction) }
    hosts.append(HTTPHost(cluster: cluster, lists: lists, address: address))
  }
  do {
    try await body(hosts)
  } catch {
    for host in hosts { await host.cluster.drain() }
    throw error
  }
  for host in hosts { await host.cluster.drain() }
}
