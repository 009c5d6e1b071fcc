import Reactor
import ReactorComposition
import ReactorDependencies
import TestLimits
import TestSupport
import Testing

private enum GreetingKey: ReactorDependencyKey {
  static var defaultValue: @Sendable (String) -> String { { "Hello, \($0)" } }
  static var allowsDefaultInTests: Bool { true }
}

private enum NumberKey: ReactorDependencyKey {
  static var defaultValue: Int { 1 }
  static var allowsDefaultInTests: Bool { true }
}

private enum LimitKey: ReactorDependencyKey {
  static var defaultValue: Int? { 5 }
  static var allowsDefaultInTests: Bool { true }
}

extension ReactorDependencies {
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
  @Test func `a reactor has the default where no other value is set`() async {
    let greeter = GreetingReactor()
    await greeter.send("Ann").settled
    #expect(await greeter.currentState == ["Hello, Ann 1"])
  }

  @Test func `a reactor has the value it was created with, whatever its senders have`() async {
    let greeter = ReactorDependencies.with {
      $0.greeting = { "Bye, \($0)" }
    } make: {
      GreetingReactor()
    }
    await greeter.send("Ann").settled
    await ReactorDependencies.with {
      $0.greeting = { "Who is \($0)?" }
    } make: {
      await greeter.send("Bob").settled
    }
    #expect(await greeter.currentState == ["Bye, Ann 1", "Bye, Bob 1"])
  }

  @Test func `in a nested scope, values that are not set again remain`() {
    ReactorDependencies.with {
      $0.number = 2
    } make: {
      ReactorDependencies.with {
        $0.greeting = { $0 }
      } make: {
        #expect(ReactorDependencies.current.number == 2)
        #expect(ReactorDependencies.current.greeting("x") == "x")
      }
      #expect(ReactorDependencies.current.greeting("x") == "Hello, x")
    }
    #expect(ReactorDependencies.current.number == 1)
  }

  @Test func `a reactor created later has the values if they are captured`() async throws {
    let registry = ReactorDependencies.with {
      $0.number = 5
    } make: {
      let dependencies = ReactorDependencies.current
      return ReactorRegistry<String, GreetingReactor>(idle: .steps(1), clock: ManualClock()) { _ in
        ReactorDependencies.with {
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

  @Test func `an optional has its default until it is set, to nil too`() {
    #expect(ReactorDependencies.current.limit == 5)
    ReactorDependencies.with {
      $0.limit = nil
    } make: {
      #expect(ReactorDependencies.current.limit == nil)
    }
  }

  @Test func `children have the values of their parent, wherever they are created`() async {
    let parent = ReactorDependencies.with {
      $0.number = 5
    } make: {
      GreeterParent()
    }
    await parent.send("sent").settled
    await ReactorDependencies.with {
      $0.number = 7
    } make: {
      _ = await parent.outcome(of: "awaited")
    }
    for name in ["sent", "awaited"] {
      await parent.children[name]?.send("Ann").settled
      #expect(await parent.children[name]?.currentState == ["Hello, Ann 5"])
    }
  }

  @Test func `children of a parent created before any replacement have the defaults`() async {
    let parent = GreeterParent()
    await ReactorDependencies.with {
      $0.number = 7
    } make: {
      _ = await parent.outcome(of: "awaited")
    }
    await parent.children["awaited"]?.send("Ann").settled
    #expect(await parent.children["awaited"]?.currentState == ["Hello, Ann 1"])
  }

  @Test func `children have what their parent's child was made with, and so on`() async {
    let grandparent = ReactorDependencies.with {
      $0.number = 5
    } make: {
      GreeterGrandparent()
    }
    await grandparent.send("one").settled
    let parent = grandparent.children["one"]
    await parent?.send("two").settled
    let child = parent?.children["two"]
    await child?.send("Ann").settled
    #expect(await child?.currentState == ["Hello, Ann 5"])
  }

  @Test func `concurrent tasks have values of their own`() async {
    await withTaskGroup { group in
      for number in 0..<20 {
        group.addTask {
          let greeter = await ReactorDependencies.with {
            $0.number = number
          } make: {
            await Task.yield()
            return GreetingReactor()
          }
          await greeter.send("Ann").settled
          #expect(await greeter.currentState == ["Hello, Ann \(number)"])
        }
      }
    }
  }

  @Test func `an error is rethrown`() async {
    #expect(throws: Failure(number: 3)) {
      try ReactorDependencies.with {
        $0.number = 2
      } make: { () throws(Failure) -> Int in
        throw Failure(number: 3)
      }
    }
    await #expect(throws: Failure(number: 4)) {
      try await ReactorDependencies.with {
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
  @ReactorDependency(\.greeting) private var greeting
  @ReactorDependency(\.number) private var number

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

private actor GreeterGrandparent: Reactor {
  typealias Action = String
  typealias Mutation = String

  nonisolated let initialState: Set<String> = []
  nonisolated let pipeline = Pipeline()
  nonisolated let children: ReactorChildren<String, GreeterParent>

  init() {
    children = pipeline.children(\.self) { _, _ in GreeterParent() }
  }

  func reduce(state: inout Set<String>, mutation: String) { state.insert(mutation) }
}
