import HTTPTypes
import Hummingbird
import HummingbirdTesting
import InMemoryLogging
import Logging
import NIOCore
import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

@testable import ReactorHummingbird

/// What the log has of errors that are not shown to clients.
@Suite(.bounded) struct ErrorLogTests {
  private enum Secret: Error { case token(String) }

  /// A state that cannot be shown once it is no longer the first.
  private struct Hidden: Encodable {
    let number: Int

    func encode(to encoder: any Encoder) throws {
      guard number == 0 else { throw Secret.token("hunter2") }
      var container = encoder.singleValueContainer()
      try container.encode(number)
    }
  }

  private actor Vault: Reactor {
    typealias Mutation = Int
    enum Action: Decodable, Sendable { case open, add(Int) }

    let initialState = 0
    let pipeline = Pipeline()

    func mutate(action: Action) -> MutationStream<Int> {
      switch action {
      case .open: .run { _ in throw Secret.token("hunter2") }
      case .add(let number): .just(number)
      }
    }

    func reduce(state: inout Int, mutation: Int) { state += mutation }
    nonisolated func report(_ report: ReactorReport) {}
  }

  private let vault = Vault()
  private let handler = InMemoryLogHandler()

  private var logger: Logger { Logger(label: "test") { [handler] _ in handler } }

  /// The errors that have been logged.
  private var errors: [String] {
    handler.entries.compactMap { entry in entry.metadata["error"].map { "\($0)" } }
  }

  private func test(
    _ router: Router<BasicRequestContext>,
    _ body: @Sendable @escaping (any TestClientProtocol) async throws -> Void
  ) async throws {
    try await Application(router: router, logger: logger).test(.router) { try await body($0) }
  }

  @Test(arguments: ["POST", "GET", "LIVE"])
  func `an error of a reactor's making is logged without its associated values`(route: String)
    async throws
  {
    let vaults = ReactorRegistry<Int, Vault>(idle: nil) { _ in throw Secret.token("hunter2") }
    let router = Router()
    router.post("vaults/{id}", sending: vaults)
    router.get("vaults/{id}", of: vaults) { $0 }
    router.get("live/{id}", streaming: vaults) { $0 }
    try await test(router) { client in
      let response =
        switch route {
        case "POST": try await client.json("vaults/1", #"{"open":{}}"#)
        case "GET": try await client.execute(uri: "/vaults/1", method: .get)
        default: try await client.execute(uri: "/live/1", method: .get)
        }
      #expect(response.status == .internalServerError)
    }
    #expect(errors == ["Secret.token"])
  }

  @Test func `a state that cannot be encoded is logged without its values`() async throws {
    await vault.send(.add(1)).settled
    let router = Router()
    router.get("vault", of: vault) { Hidden(number: $0) }
    try await test(router) { client in
      let response = try await client.execute(uri: "/vault", method: .get)
      #expect(response.status == .internalServerError)
    }
    #expect(errors == ["Secret.token"])
  }

  @Test func `a live stream that fails is logged without the error's associated values`()
    async throws
  {
    let states = KeyedLiveHubs(nil, OneReactor(reactor: vault), keyed: { _ in .init() }) {
      Hidden(number: $0)
    }
    let options = LiveOptions(clock: ManualClock())
    let session = try LiveSession(
      [(states, nil)], lastEventID: nil, heartbeat: LiveHeartbeat(options), options: options,
      logger: logger)
    try await session.ready()
    vault.send(.add(1))
    var writer: any ResponseBodyWriter = Unread()
    try await session.write(to: &writer)
    #expect(errors == ["Secret.token"])
  }

  @Test func `for an action that fails the log names the reactor and the error`() async throws {
    let router = Router()
    router.post("vault", sending: vault)
    try await test(router) { client in
      let response = try await client.json("vault", #"{"open":{}}"#)
      #expect(response.status == .internalServerError)
    }
    let error = try #require(errors.first)
    #expect(error.hasPrefix("Vault#"), "\(error)")
    #expect(error.hasSuffix("failed(Secret.token)"), "\(error)")
    #expect(errors.count == 1)
  }
}

/// Takes what is written, and keeps nothing.
private struct Unread: ResponseBodyWriter {
  func write(_ buffer: ByteBuffer) async throws {}
  consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
}
