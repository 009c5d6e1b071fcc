import Reactor
import ReactorTesting
import Testing
import TestLimits

/// What `mutate` returns, compared without running it.
@Suite(.bounded) struct EffectPlanTests {
  @Test func `mutations and named effects`() async {
    await spec(Planner(), mutate: .none, returns: .empty)
    await spec(Planner(), mutate: .just(1), returns: .just(1))
    await spec(
      Planner(), mutate: .load, returns: .concat(.just(1), .run("load"), .of(2, 3)))
    await spec(
      Planner(), mutate: .both, returns: .merge(.run("load"), .run("log").priority(.background)))
    await spec(Planner(), mutate: .poll, returns: .run("poll").cancelledByDrain())
  }

  @Test func `the state decides`() async {
    await spec(Planner(), given: 9, mutate: .double, returns: .just(18))
    await spec(Planner(), mutate: .double, returns: .just(0))
  }

  @Test func `a map is applied to what is emitted at once`() async {
    await spec(Planner(), mutate: .mapped, returns: .concat(.just(10), .run("load"), .just(20)))
  }

  @Test func `no effect runs`() async {
    await spec(Planner(), mutate: .trap, returns: .run("trap"))
  }

  @Test func `nested parts are one`() async {
    await spec(
      Planner(), mutate: .nested,
      returns: .concat(.of(1, 2), .run("load"), .just(3), .run("load")))
  }

  @Test func `lanes are compared with their rules and times`() async {
    let debounced = Lane.latest("load").debounced(for: .seconds(1), clock: ContinuousClock())
    await spec(
      Planner(), mutate: .load, returns: .concat(.just(1), .run("load"), .of(2, 3)), in: debounced)
    await spec(Planner(), mutate: .none, returns: .empty, in: nil)
    let texts = await texts {
      await spec(Planner(), mutate: .none, returns: .empty, in: .leading("load", atMost: 2))
      await spec(
        Planner(), mutate: .load, returns: .concat(.just(1), .run("load"), .of(2, 3)),
        in: .latest("load"))
    }
    #expect(
      texts == [
        """
        'none' is in another lane than expected; expected (-), actual (+):

        - .leading('load', atMost: 2)
        + nil
        """,
        """
        'load' is in another lane than expected; expected (-), actual (+):

        - .latest('load')
        + .latest('load').debounced(for: 1.0 seconds)
        """,
      ])
  }

  @Test func `a difference shows both plans`() async {
    let texts = await texts {
      await spec(Planner(), mutate: .load, returns: .concat(.just(1), .run("save")))
    }
    #expect(
      texts == [
        """
        mutate returns something else for 'load' than expected; expected (-), actual (+):

        - .concat(.just(1), .run("save"))
        + .concat(.just(1), .run("load"), .of(2, 3))
        """
      ])
  }

  @Test func `an effect without a name equals only itself`() async {
    let stream = await Planner().mutate(action: .unnamed)
    let plan = await EffectPlan(of: stream)
    #expect(plan == plan)
    #expect(await EffectPlan(of: stream) != plan)
    let texts = await texts { await spec(Planner(), mutate: .unnamed, returns: .run("load")) }
    #expect(
      texts == [
        """
        mutate returns something else for 'unnamed' than expected; an effect without a name equals \
        nothing: name it with .named(_:), and expect .run(_:); expected (-), actual (+):

        - .run("load")
        + .run { … }
        """
      ])
  }
}

private actor Planner: LanedReactor {
  enum Action { case none, just(Int), load, both, poll, double, mapped, trap, nested, unnamed }

  let initialState = 0
  let pipeline = Pipeline()

  func lane(for action: Action) -> Lane? {
    guard case .load = action else { return nil }
    return .latest("load").debounced(for: .seconds(1), clock: ContinuousClock())
  }

  func mutate(action: Action) -> MutationStream<Int> {
    let load = MutationStream<Int>.run { emit in await emit(0) }.named("load")
    return switch action {
    case .none: .empty
    case .just(let number): .just(number)
    case .load: .concat(.just(1), load, .of(2, 3))
    case .both: .merge(load, .run { _ in }.named("log").priority(.background))
    case .poll: .run { _ in }.named("poll").cancelledByDrain()
    case .double: .just(currentState * 2)
    case .mapped: MutationStream.concat(.just(1), load, .just(2)).map { $0 * 10 }
    case .trap: .run { _ in fatalError("an effect ran") }.named("trap")
    case .nested: .concat(.concat(.just(1), .just(2)), .concat(load, .concat(.just(3), load)))
    case .unnamed: .run { _ in }
    }
  }

  func reduce(state: inout Int, mutation: Int) { state = mutation }
}
