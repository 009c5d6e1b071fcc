import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

private enum GreetingKey: DependencyKey {
  static var defaultValue: @Sendable (String) -> String { { "Hello, \($0)" } }
}

private enum NumberKey: DependencyKey {
  static var defaultValue: Int { 1 }
}

private enum LimitKey: DependencyKey {
  static var defaultValue: Int? { 5 }
}

extension Dependencies {
  fileprivate var limit: Int? {
    get { self[LimitKey.self] }
    set { self[LimitKey.self] = newValue }
  }

  fileprivate var greeting: @Sendable (String) -> String {
    get { self[GreetingKey.self] }
    set { self[GreetingKey.self] = newValue }
  }

  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }
}

@Suite(.bounded) struct DependencyTests {
  @Test func `a reactor has the default where nobody says otherwise`() async {
    let greeter = GreetingReactor()
    await greeter.send("Ann").settled
    #expect(await greeter.currentState == ["Hello, Ann 1"])
  }

  @Test func `a reactor made with another one has that, whoever sends to it later`() async {
    let greeter = Dependencies.with {
      $0.greeting = { "Bye, \($0)" }
    } make: {
      GreetingReactor()
    }
    await greeter.send("Ann").settled
    await Dependencies.with {
      $0.greeting = { "Who is \($0)?" }
    } make: {
      await greeter.send("Bob").settled
    }
    #expect(await greeter.currentState == ["Bye, Ann 1", "Bye, Bob 1"])
  }

  @Test func `inside another, those that were not set again stay`() {
    Dependencies.with {
      $0.number = 2
    } make: {
      Dependencies.with {
        $0.greeting = { $0 }
      } make: {
        #expect(Dependencies.current.number == 2)
        #expect(Dependencies.current.greeting("x") == "x")
      }
      #expect(Dependencies.current.greeting("x") == "Hello, x")
    }
    #expect(Dependencies.current.number == 1)
  }

  @Test func `what is made later has them if they are kept`() async throws {
    let registry = Dependencies.with {
      $0.number = 5
    } make: {
      let dependencies = Dependencies.current
      return ReactorRegistry<String, GreetingReactor>(idle: .steps(1), clock: HandClock()) { _ in
        Dependencies.with {
          $0 = dependencies
        } make: {
          GreetingReactor()
        }
      }
    }
    try await registry.with("a") { greeter in
      await greeter.send("Ann").settled
      #expect(await greeter.currentState == ["Hello, Ann 5"])
    }
  }

  @Test func `one that may be nil has its default until it is set, to nil too`() {
    #expect(Dependencies.current.limit == 5)
    Dependencies.with {
      $0.limit = nil
    } make: {
      #expect(Dependencies.current.limit == nil)
    }
  }

  @Test func `children have those of their parent, whoever has them made`() async {
    let parent = Dependencies.with {
      $0.number = 5
    } make: {
      GreeterParent()
    }
    await parent.send("sent").settled
    await Dependencies.with {
      $0.number = 7
    } make: {
      _ = await parent.outcome(of: "awaited")
    }
    for name in ["sent", "awaited"] {
      await parent.children[name]?.send("Ann").settled
      #expect(await parent.children[name]?.currentState == ["Hello, Ann 5"])
    }
  }

  @Test func `an error goes through`() async {
    #expect(throws: Failure(number: 3)) {
      try Dependencies.with {
        $0.number = 2
      } make: { () throws(Failure) -> Int in
        throw Failure(number: 3)
      }
    }
    await #expect(throws: Failure(number: 4)) {
      try await Dependencies.with {
        $0.number = 2
      } make: { () async throws -> Int in
        throw Failure(number: 4)
      }
    }
  }
}

private actor GreetingReactor: Reactor {
  typealias Action = String
  typealias Mutation = String

  let initialState: [String] = []
  let pipeline = Pipeline()
  @Dependency(\.greeting) private var greeting
  @Dependency(\.number) private var number

  func mutate(action: String) -> MutationStream<String> {
    .run { emit in await emit("\(self.greeting(action)) \(self.number)") }
  }

  func reduce(state: inout [String], mutation: String) { state.append(mutation) }
}

private actor GreeterParent: Reactor {
  typealias Action = String
  typealias Mutation = String

  nonisolated let initialState: Set<String> = []
  nonisolated let pipeline = Pipeline()
  nonisolated let children: ReactorChildren<String, GreetingReactor>

  init() {
    children = pipeline.children(\.self) { _, _ in GreetingReactor() }
  }

  func reduce(state: inout Set<String>, mutation: String) { state.insert(mutation) }
}
