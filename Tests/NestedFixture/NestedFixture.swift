import Reactor

/// Nests streams so deeply that releasing one within the other would overflow any stack: for a
/// release build, where the optimizer decides when a value is released.
@main
struct NestedFixture {
  static func main() async {
    for kind in 0..<4 {
      let reactor = DeepReactor(kind)
      await reactor.send(1_000_000).settled
      let sum = await reactor.currentState
      precondition(sum == 1, "kind \(kind): \(sum)")
    }
  }
}

private actor DeepReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()
  private let kind: Int

  init(_ kind: Int) { self.kind = kind }

  func mutate(action levels: Int) -> MutationStream<Int> {
    let nothing = MutationStream<Int>.run { _ in }
    return (0..<levels).reduce(.run { emit in await emit(1) }) { inner, level in
      switch kind == 3 ? level % 3 : kind {
      case 0: .concat(inner, nothing)
      case 1: inner.map { $0 }
      default: inner.onEnd { _, _ in }
      }
    }
  }

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
