import Reactor
import TestLimits
import TestSupport
import Testing

/// Observers of a reactor cost in proportion to their number.
@Suite(.bounded) struct ObserverGrowthTests {
  @Test func `observers of one reactor`() async throws {
    let growth = try await Growth.of(500) { count in
      let reactor = TickReactor()
      let registrations = (0..<count).map { _ in reactor.addObserver(Bystander()) }
      await reactor.send(1).settled
      for registration in registrations.reversed() { registration.remove() }
    }
    #expect(growth < Growth.most)
  }

  @Test func `observers of one reactor, while others are added and removed`() async throws {
    let growth = try await Growth.of(500, isScaled: false) { count in
      let reactor = TickReactor()
      let registrations = (0..<count).map { _ in reactor.addObserver(Bystander()) }
      await reactor.send(1).settled
      for _ in 0..<5 {
        let other = reactor.addObserver(Bystander())
        await reactor.send(1).settled
        other.remove()
      }
      for registration in registrations.reversed() { registration.remove() }
    }
    #expect(growth < Growth.most)
  }

  @Test func `observers of one type`() async throws {
    let growth = try await Growth.of(250) { count in
      let observers = (0..<count).map { _ in
        ReactorObservers.add(Bystander(), toAll: ObservedReactor.self)
      }
      await ObservedReactor().send(1).settled
      for observer in observers.reversed() { observer.remove() }
    }
    #expect(growth < Growth.most)
  }
}

/// No other test has one.
private actor ObservedReactor: Reactor {
  typealias Action = Int
  typealias Mutation = Int

  let initialState = 0
  let pipeline = Pipeline()

  func reduce(state: inout Int, mutation: Int) { state += mutation }
}
