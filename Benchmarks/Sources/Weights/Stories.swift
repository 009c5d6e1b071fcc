import Reactor
import ReactorComposition

extension Story {
  /// What reactors have done before they do nothing; beside them, each holds nothing.
  static let all = [
    Story("made") {
      Plain()
    } _: { _ in
    },
    Story("used once, awaited") {
      Plain()
    } _: {
      await $0.send(.set).settled
    },
    Story("an effect") {
      Plain()
    } _: {
      await $0.send(.work).settled
    },
    Story("two effects that suspend") {
      Plain()
    } _: {
      await $0.twice(.wait)
    },
    Story("an effect that failed") {
      Plain()
    } _: {
      await $0.send(.fail).settled
    },
    Story("twenty effects that failed") {
      Plain()
    } _: { reactor in
      for _ in 0..<20 { await reactor.send(.fail).settled }
    },
    Story("an outcome asked for") {
      Plain()
    } _: {
      _ = await $0.outcome(of: .wait)
    },
    Story("cancelled") {
      Plain()
    } _: { reactor in
      let receipt = reactor.send(.wait)
      receipt.cancel()
      await receipt.settled
    },
    Story("a lane") {
      Laned()
    } _: {
      await $0.send(.set).settled
    },
    Story("two effects in a lane") {
      Laned()
    } _: {
      await $0.twice(.wait)
    },
    Story("an observer, gone") {
      Plain()
    } _: { reactor in
      var states = reactor.state.makeAsyncIterator()
      _ = await states.next()
      await reactor.send(.set).settled
      _ = await states.next()
    },
    Story("a stream of actions, gone") {
      Plain()
    } _: { reactor in
      let actions = reactor.actions()
      await reactor.send(.set).settled
      _ = await actions.next()
    },
    Story("tracked") {
      Plain()
    } _: {
      await $0.sendTracked(.wait).settled
    },
    Story("asked") {
      Plain()
    } _: { reactor in
      _ = try? await reactor.ask { .ask($0) }
    },
    Story("two actions sent together") {
      Plain()
    } _: { reactor in
      for receipt in reactor.sendTogether([.set, .set]) { await receipt.settled }
    },
    Story("an action in a lane that debounces") {
      Debounced()
    } _: {
      await $0.send(.wait).settled
    },
    Story("a stage, taken out") {
      Plain()
    } _: { reactor in
      let stage = await reactor.addStage { _, action, mutate in mutate(action) }
      await reactor.send(.set).settled
      stage.remove()
      await reactor.send(.set).settled
    },
    Story("a ReactorObserver, removed") {
      Plain()
    } _: { reactor in
      let registration = reactor.addObserver(Idle())
      await reactor.send(.wait).settled
      registration.remove()
      await reactor.send(.set).settled
    },
    Story("a member of a group, gone") {
      Plain()
    } _: { reactor in
      let group = ReactorGroup<Action>()
      group.add(reactor)
      await group.send(.wait).settled
      group.remove(reactor)
      await reactor.send(.set).settled
    },
    Story("restarted") {
      Plain()
    } _: { reactor in
      await reactor.send(.wait).settled
      await reactor.stop().settled
      await reactor.restart()
      await reactor.send(.set).settled
    },
    Story("stopped") {
      Plain()
    } _: { reactor in
      await reactor.send(.wait).settled
      await reactor.stop().settled
    },
    Story("all of these but the stop") {
      Laned()
    } _: { reactor in
      let registration = reactor.addObserver(Idle())
      let stage = await reactor.addStage { _, action, mutate in mutate(action) }
      _ = try? await reactor.ask { .ask($0) }
      for receipt in reactor.sendTogether([.set, .set]) { await receipt.settled }
      var states = reactor.state.makeAsyncIterator()
      let actions = reactor.actions()
      await reactor.twice(.wait)
      await reactor.send(.fail).settled
      _ = await reactor.outcome(of: .wait)
      let receipt = reactor.send(.wait)
      receipt.cancel()
      await receipt.settled
      await reactor.sendTracked(.wait).settled
      registration.remove()
      stage.remove()
      _ = await states.next()
      _ = await actions.next()
      // What observers and stages needed is given back with the next action.
      await reactor.send(.set).settled
    },
    Story("declared: a bounded inbox") {
      Bounded()
    } _: {
      await $0.send(.set).settled
    },
    Story("declared: children, one of them gone") {
      Parent()
    } _: { reactor in
      await reactor.send(.set).settled
      await reactor.send(.work).settled
    },
    Story("hook: transform(action:)") {
      ActionHooked()
    } _: {
      await $0.send(.set).settled
    },
    Story("hook: transform(mutation:)") {
      MutationHooked()
    } _: {
      await $0.send(.set).settled
    },
    Story("hook: transform(state:)") {
      StateHooked()
    } _: {
      await $0.send(.set).settled
    },
    Story("hook: transform(mutation:) that merges an EventBroadcaster") {
      Merging()
    } _: {
      await $0.send(.set).settled
    },
  ]
}
