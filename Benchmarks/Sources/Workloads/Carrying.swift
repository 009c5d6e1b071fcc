import Reactor

/// Sending where actions bring task-local values along from their senders.
///
/// The sender has values of them all. It sends a hundred actions at a time from inside the reactor,
/// so that it is always in the same order.
package enum Carrying {
  package static let nothing = workload(nil)
  package static let one = workload(TaskLocals(Values.$first))
  package static let two = workload(TaskLocals(Values.$first, Values.$second))
  package static let three = workload(TaskLocals(Values.$first, Values.$second, Values.$third))

  private static func workload(_ carried: TaskLocals?) -> Workload {
    { count in
      await Values.$first.withValue("request") {
        await Values.$second.withValue(2) {
          await Values.$third.withValue([3]) {
            let counter = CarryingCounter(carried)
            await counter.send(.increase).settled
            let watch = Stopwatch()
            for _ in 0..<count / 100 {
              await counter.sendInside(99)
              await counter.send(.increase).settled
            }
            let reading = watch.reading
            check(await counter.currentState.value, is: count / 100 * 100 + 1)
            return reading
          }
        }
      }
    }
  }

  /// The least that brings one value along: read by who sends, put aside in an object, bound around
  /// what is done with it; by hand, on one thread, and for a type that is known.
  package static let floor: Workload = { count in
    Values.$first.withValue("request") {
      let watch = Stopwatch()
      var state = Counter.State()
      var waiting: [Carried] = []
      for _ in 0..<count / 100 {
        for _ in 0..<100 { waiting.append(Carried(Values.first)) }
        for carried in waiting {
          Values.$first.withValue(carried.value) { Counting.reduce(&state, .add(1)) }
        }
        waiting.removeAll(keepingCapacity: true)
      }
      let reading = watch.reading
      check(state.value, is: count / 100 * 100)
      return reading
    }
  }

  private final class Carried {
    let value: String?
    init(_ value: String?) { self.value = value }
  }

  private enum Values {
    @TaskLocal static var first: String?
    @TaskLocal static var second = 0
    @TaskLocal static var third: [Int] = []
  }
}

private actor CarryingCounter: Reactor {
  typealias Action = Counter.Action
  typealias Mutation = Counter.Mutation

  let initialState = Counter.State()
  let pipeline: Pipeline

  init(_ carried: TaskLocals?) {
    if let carried { pipeline = Pipeline(carrying: carried) } else { pipeline = Pipeline() }
  }

  func mutate(action: Action) -> MutationStream<Mutation> { .just(Counting.mutate(action)) }

  func reduce(state: inout Counter.State, mutation: Mutation) {
    Counting.reduce(&state, mutation)
  }

  func sendInside(_ count: Int) { for _ in 0..<count { send(.increase) } }
}
