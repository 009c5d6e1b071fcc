import Reactor
import TestSupport
import Testing

private enum GreetingKey: DependencyKey {
  static var defaultValue: @Sendable (String) -> String { { "Hello, \($0)" } }
}

private enum NumberKey: DependencyKey {
  static var defaultValue: Int { 1 }
}

extension Dependencies {
  fileprivate var greeting: @Sendable (String) -> String {
    get { self[GreetingKey.self] }
    set { self[GreetingKey.self] = newValue }
  }

  fileprivate var number: Int {
    get { self[NumberKey.self] }
    set { self[NumberKey.self] = newValue }
  }
}

@Suite(.timeLimit(.minutes(10))) struct DependencyTests {
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
      return ReactorRegistry<String, GreetingReactor>(idle: .seconds(60)) { _ in
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
