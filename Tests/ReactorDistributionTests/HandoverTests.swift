import Foundation
import Reactor
import ReactorTesting
import TestLimits
import TestSupport
import Testing

@testable import ReactorDistribution

/// Reactors that are handed over while they do endless work.
@Suite(.bounded) struct HandoverTests {
  @Test func `a host that joins does not take endless work, which goes on answering`()
    async throws
  {
    try await simulatedWorld(seeds: 0..<5) { world in
      let one = try await world.start("a", idle: nil)
      try await world.start("b", idle: nil)
      for id in 0..<12 { try await one.lists["\(id)"].send(.hang(Reply { _ in })) }
      try await world.start("c", idle: nil)
      for id in 0..<12 {
        #expect(
          try await one.lists["\(id)"].ask(within: .seconds(10)) { .append(7, $0) } == 1)
      }
    }
  }

  @Test func `work under way when a host joined moves to it when that is done`() async throws {
    try await simulatedWorld(seeds: 0..<5) { world in
      let one = try await world.start("a", idle: nil)
      let two = try await world.start("b", idle: nil)
      for id in 0..<12 {
        try await one.lists["\(id)"].send(.appendSlowly(7, milliseconds: 6_000, Reply { _ in }))
      }
      let three = try await world.start("c", idle: nil)
      try await world.sleep(.seconds(3))
      #expect(one.lists.idsHere.count + two.lists.idsHere.count == 12)
      // The next check after that is at the next renewal; a call brings it here.
      try await world.sleep(.seconds(8))
      for id in 0..<12 {
        #expect(try await one.lists["\(id)"].ask { .append(8, $0) } == 2)
      }
      #expect(!three.lists.idsHere.isEmpty)
    }
  }

  @Test func `work that ignores its cancellation does not prevent a host's return`()
    async throws
  {
    try await simulatedWorld { world in
      let one = try await world.start("a", idle: nil)
      try await one.lists["1"].send(.ignore(Reply { _ in }))
      let before = one.node.hostID
      one.pause(for: .seconds(12))
      try await world.sleep(.seconds(22))
      #expect(one.node.hostID != nil)
      #expect(one.node.hostID != before)
      #expect(try await one.lists["1"].ask(within: .seconds(10)) { .append(7, $0) } == 1)
    }
  }
}
