import Reactor
import ReactorComposition
import TestLimits
import TestSupport
import Testing

/// Each form in which a member is added, also with a function in the place of a closure.
@Suite(.bounded) struct GroupFormsTests {
  private let group = ReactorGroup<Int>()
  private let one = ScriptedReactor()
  private let two = ScriptedReactor()
  private let last = ScriptedReactor()

  @Sendable private static func tens(_ action: Int) -> Int? { action > 1 ? action * 10 : nil }

  @Test func `after one member, a function maps the action`() async throws {
    group.add(one)
    try group.add(last, after: one, Self.tens)
    for action in 1...2 { await group.send(action).settled }
    #expect(await last.currentState == [20])
  }

  @Test func `after several members, a function maps the action`() async throws {
    for member in [one, two] { group.add(member) }
    try group.add(last, after: [one, two], keeping: true, Self.tens)
    await group.send(2).settled
    #expect(await last.currentState == [20])
  }

  @Test func `after one or several members, actions are taken as they are`() async throws {
    group.add(one)
    try group.add(two, after: one)
    try group.add(last, after: [one, two])
    await group.send(1).settled
    for member in [two, last] { #expect(await member.currentState == [1]) }
  }

  @Test func `a member that comes after an empty list is added as any other`() async throws {
    try group.add(last, after: [])
    await group.send(1).settled
    #expect(await last.currentState == [1])
  }

  @Test func `under one key or several, a function maps the action`() async {
    let byNumber = group.index { $0 }
    byNumber.add(one, at: 2, Self.tens)
    byNumber.add(two, at: [1, 2], Self.tens)
    for action in 1...3 { await group.send(action).settled }
    for member in [one, two] { #expect(await member.currentState == [20]) }
  }

  @Test func `under one key or several, actions are taken as they are`() async {
    let byNumber = group.index { $0 }
    byNumber.add(one, at: 2)
    byNumber.add(two, at: [1, 2])
    for action in 1...3 { await group.send(action).settled }
    #expect(await one.currentState == [2])
    #expect(await two.currentState == [1, 2])
  }
}
