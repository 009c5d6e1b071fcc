import Foundation
import Hummingbird
import Reactor
import ReactorLifecycle
import TestLimits
import TestSupport
import Testing

@testable import ReactorHummingbird

/// A client that subscribes while the frames lag behind the states.
@Suite(.bounded) struct LateSubscriberTests {
  private let shown = Gate()

  private func hub(_ reactor: DelayedStateReactor) -> LiveHub<OneReactor<DelayedStateReactor>, Int>
  {
    LiveHub(
      OneReactor(reactor: reactor), .init(), label: nil, select: { $0 }, onLastUnsubscribe: { _ in }
    )
  }

  @Test func `begins with the state of that moment, and not with the last frame`() async {
    let reactor = DelayedStateReactor(shown)
    let hub = hub(reactor)
    let (first, late) = (LiveNotifications(), LiveNotifications())
    hub.subscribe(first, as: 0)
    _ = await first.next()
    #expect(hub.text == "0")
    await reactor.send(1).settled
    hub.subscribe(late, as: 0)
    #expect(hub.text == "0")
    async let caughtUp: Void = hub.waitForCurrentFrame(late)
    shown.open()
    await caughtUp
    #expect(hub.text == "1")
    hub.close()
  }

  @Test func `waits for nothing if the frames are at that state`() async {
    let reactor = DelayedStateReactor(shown)
    let hub = hub(reactor)
    let (first, late) = (LiveNotifications(), LiveNotifications())
    hub.subscribe(first, as: 0)
    _ = await first.next()
    hub.subscribe(late, as: 0)
    await hub.waitForCurrentFrame(late)
    #expect(hub.text == "0")
    hub.unsubscribe(late)
    hub.close()
  }

  @Test func `the end of the reactor ends the wait`() async {
    let reactor = DelayedStateReactor(shown)
    let hub = hub(reactor)
    let (first, late) = (LiveNotifications(), LiveNotifications())
    hub.subscribe(first, as: 0)
    _ = await first.next()
    await reactor.send(1).settled
    hub.subscribe(late, as: 0)
    async let caughtUp: Void = hub.waitForCurrentFrame(late)
    reactor.stop()
    shown.open()
    await caughtUp
    #expect(hub.text == "1")
  }

  @Test func `a late live stream works over the network`() async throws {
    let reactor = DelayedStateReactor(shown)
    let router = Router()
    router.get("events", streaming: reactor) { $0 }
    try await ServerFixture.with(ReactorService(reactor, logger: .silent), router) { fixture in
      var first = EventReader(try await fixture.get("events"))
      #expect(try await first.next()?.data == "0")
      await reactor.send(1).settled
      async let late = Self.firstData(fixture)
      shown.open()
      #expect(try await late == "1")
    }
  }

  private static func firstData(_ fixture: ServerFixture) async throws -> String? {
    var events = EventReader(try await fixture.get("events"))
    return try await events.next()?.data
  }
}

extension LiveHub {
  /// What the newest frame says.
  fileprivate var text: String? {
    latest.map { frame in
      let text = String(buffer: frame.data)
      return String(text.dropFirst("data: ".count).dropLast(2))
    }
  }
}

/// Counts; its hook shows every state but the first once a gate is open.
private actor DelayedStateReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()
  private nonisolated let shown: Gate

  init(_ shown: Gate) { self.shown = shown }

  func reduce(state: inout Int, mutation: Int) { state += mutation }

  func transform(state: States) -> some AsyncSequence<Int, Never> {
    let shown = shown
    return state.map { number in
      if number > 0 { await shown.pass() }
      return number
    }
  }
}
