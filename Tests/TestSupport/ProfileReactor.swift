package import Reactor

/// A name, an age, and an alert.
package actor ProfileReactor: Reactor {
  package enum Action { case setName(String), setAge(Int), alert(String?), touch, replaceState }
  package struct State: Equatable {
    package var name: String
    package var age: Int
    @Pulse package var alert: String?

    package init(name: String = "", age: Int = 0) {
      self.name = name
      self.age = age
    }
  }

  package nonisolated let initialState = State()
  package nonisolated let pipeline = Pipeline()

  package init() {}

  package func reduce(state: inout State, mutation: Action) {
    switch mutation {
    case .setName(let name): state.name = name
    case .setAge(let age): state.age = age
    case .alert(let text): state.alert = text
    case .touch: break
    case .replaceState: state = State(name: state.name, age: state.age)
    }
  }
}

extension AsyncSequence where Failure == Never {
  /// Everything until the end.
  package func collected() async -> [Element] {
    var elements: [Element] = []
    for await element in self { elements.append(element) }
    return elements
  }
}
