import Reactor
import ReactorRuntime
import ReactorTesting
import TestLimits
import TestSupport
import Testing

/// The sample of *A queue of downloads*, on the page Lanes.
@Suite(.bounded) struct DownloadsTests {
  private let service = HeldDownloads()

  private func began(_ count: Int) async -> [String] {
    await service.begun.entries(upTo: count).sorted()
  }

  @Test func `two are loaded, and the list shows that the third waits`() async {
    let downloads = DownloadsReactor(service)
    for file in ["a", "b", "c"] { downloads.send(.add(file)) }
    #expect(await began(2) == ["a", "b"])
    await downloads.send(.callOff("z")).settled
    let files = await downloads.currentState.files
    #expect(files == ["a": .running, "b": .running, "c": .waiting])
  }

  @Test func `a download that waits is cancelled, and never begins`() async {
    let downloads = DownloadsReactor(service)
    for file in ["a", "b", "c", "d"] { downloads.send(.add(file)) }
    _ = await began(2)
    await downloads.send(.callOff("c")).settled
    service.gate("a").open()
    #expect(await began(3) == ["a", "b", "d"])
  }

  @Test func `a download that runs is cancelled, and the next one begins`() async {
    let downloads = DownloadsReactor(service)
    for file in ["a", "b", "c"] { downloads.send(.add(file)) }
    _ = await began(2)
    await downloads.send(.callOff("a")).settled
    #expect(await began(3) == ["a", "b", "c"])
    let files = await downloads.currentState.files
    #expect(files["a"] == nil)
  }

  @Test func `what an action sends is received after it`() async throws {
    try await simulate { simulation in
      let test = await ReactorTest(DownloadsReactor(service), in: simulation)
      service.gate("a").open()
      await test.send(.add("a")) { $0.files["a"] = .waiting }
      await test.receive(.set("a", .running)) { $0.files["a"] = .running }
      await test.receive(.set("a", .done)) { $0.files["a"] = .done }
      await test.finish()
    }
  }
}

private final class HeldDownloads: Sendable {
  let begun = Log<String>()
  private let gates = Guarded<[String: Gate]>([:])

  func load(_ file: String) async throws {
    begun.append(file)
    try await gate(file).wait()
  }

  func gate(_ file: String) -> Gate {
    gates.withLock { gates in
      if let gate = gates[file] { return gate }
      let gate = Gate()
      gates[file] = gate
      return gate
    }
  }
}

private actor DownloadsReactor: LanedReactor {
  enum Action { case add(String), download(String), callOff(String) }
  enum Mutation: Equatable { case set(String, Standing), remove(String) }
  enum Standing: Equatable { case waiting, running, done, failed }
  struct State: Equatable { var files: [String: Standing] = [:] }

  let initialState = State()
  let pipeline = Pipeline()
  private let service: HeldDownloads
  private var receipts: [String: ActionReceipt<DownloadsReactor>] = [:]

  init(_ service: HeldDownloads) { self.service = service }

  func lane(for action: Action) -> Lane? {
    if case .download = action { .concurrent("downloads", atMost: 2) } else { nil }
  }

  func mutate(action: Action) -> MutationStream<Mutation> {
    switch action {
    case .add(let file):
      guard currentState.files[file] == nil else { return .empty }
      receipts[file] = send(.download(file))  // taken after this action
      return .just(.set(file, .waiting))
    case .download(let file):
      return .run { emit in
        await emit(.set(file, .running))
        do {
          try await self.service.load(file)
          await emit(.set(file, .done))
        } catch {
          await emit(.set(file, .failed))  // ignored if it was called off
          throw error
        }
      }
    case .callOff(let file):
      receipts.removeValue(forKey: file)?.cancel()  // whether it waits or runs
      return .just(.remove(file))
    }
  }

  func reduce(state: inout State, mutation: Mutation) {
    switch mutation {
    case .set(let file, let standing): state.files[file] = standing
    case .remove(let file): state.files[file] = nil
    }
  }
}
