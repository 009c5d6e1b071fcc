import Hummingbird
import HummingbirdTesting
import Reactor
import ReactorDistribution
import ReactorHummingbird
import ReactorJournal
import Testing
import TestLimits

// The samples of the page On several hosts, copied by hand.

private actor CartReactor: Reactor, JournaledReactor {
  enum Action: Codable { case add(price: Int), checkOut(Reply<Int>) }
  enum Mutation: Codable { case added(Int), checkedOut }
  struct State: Codable { var total = 0, isPaid = false }

  static let journalName = "cart"
  static let journalVersion = 1
  static let initialState = State()
  let pipeline = Pipeline()

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let price): return .just(.added(price))
    case .checkOut(let reply):
      reply(currentState.total)
      return .just(.checkedOut)
    }
  }

  static func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .added(let price): state.total += price
    case .checkedOut: state.isPaid = true
    }
  }
}

private func serve(_ place: ReactorCluster.Place, at address: String) async throws -> Int {
  let cluster = try await ReactorCluster(place, address: address)
  let carts = cluster.registry(of: CartReactor.self) { id in CartReactor() }
  try await carts["42"].send(.add(price: 7))
  let total = try await carts["42"].ask { .checkOut($0) }  // here, or on the host that owns 42
  await cluster.drain()
  return total
}

private func route(_ router: Router<BasicRequestContext>, _ carts: ClusterRegistry<CartReactor>) {
  router.post("carts/{id}/checkout") { request, context in
    do {
      try request.requireJSON()
      let id = try context.parameters.requireKey("id")
      let total = try await carts[id].ask(within: .seconds(5)) { .checkOut($0) }
      return try context.responseEncoder.encode(total, from: request, context: context)
    } catch {
      throw ReactorHTTPError(error) ?? error
    }
  }
}

@Suite(.bounded) struct OnSeveralHostsTests {
  @Test func `the lines of the page run on one machine`() async throws {
    #expect(try await serve(.inMemory, at: "http://127.0.0.1:0") == 7)
  }

  @Test func `a handler answers, and returns 400 for an invalid key`() async throws {
    let cluster = try await ReactorCluster(.inMemory, address: "http://127.0.0.1:0")
    let carts = cluster.registry(of: CartReactor.self) { _ in CartReactor() }
    try await carts["42"].send(.add(price: 7))
    let router = Router()
    route(router, carts)
    try await Application(router: router).test(.router) { client in
      let json: HTTPFields = [.contentType: "application/json"]
      let total = try await client.execute(
        uri: "/carts/42/checkout", method: .post, headers: json)
      #expect(total.status == .ok && String(buffer: total.body) == "7")
      let key = String(repeating: "x", count: 1_025)
      let wrong = try await client.execute(
        uri: "/carts/\(key)/checkout", method: .post, headers: json)
      #expect(wrong.status == .badRequest)
      let plain = try await client.execute(uri: "/carts/42/checkout", method: .post)
      #expect(plain.status == .unsupportedMediaType)
    }
    await cluster.drain()
  }
}
