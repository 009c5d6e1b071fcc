import Foundation
import TestLimits
import TestSupport
import Testing

@testable import Reactor

/// What a reply is by itself.
@Suite(.bounded) struct ReplyTests {
  private enum Action: Codable, Equatable, Sendable { case buy(Int, Reply<String>) }

  @Test func `an action with a reply is equatable, and a reply is hashable`() {
    let (left, right) = (Reply<String> { _ in }, Reply<String> { _ in })
    #expect(left == right && Action.buy(1, left) == .buy(1, right))
    #expect(Action.buy(1, left) != .buy(2, left))
    #expect(Set([left, right]).count == 1)
  }

  @Test func `a description of a reply shows nothing of it`() {
    let reply = Reply<String> { _ in }
    #expect("\(reply)" == "Reply<String>" && String(reflecting: reply) == "Reply<String>")
    var text = ""
    dump(reply, to: &text)
    #expect(text == "- Reply<String>\n", "\(text)")
    #expect(ReportText.text(of: Action.buy(1, reply)) == "buy")
  }

  @Test func `a reply made by hand calls its closure with the answer, once`() {
    let answers = Log<String>()
    func reply() -> Reply<Int> {
      Reply { result in
        switch result {
        case .success(let value): answers.append("\(value)")
        case .failure(let error as AskError): answers.append(error.reason.word)
        case .failure(let error): answers.append("\(error)")
        }
      }
    }
    reply()(1)
    reply()(throwing: Failure(number: 2))
    _ = reply()
    let twice = reply()
    twice(3)
    twice(4)
    #expect(answers.entries == ["1", "Failure(number: 2)", "released", "3"])
  }

  @Test func `an encoded reply is a number, and nothing else`() throws {
    let reply = Reply<String> { _ in }
    let data = try JSONEncoder().encode(Action.buy(1, reply))
    guard case .buy(1, let decoded) = try JSONDecoder().decode(Action.self, from: data) else {
      return #expect(Bool(false))
    }
    #expect(decoded.id == reply.id)
    #expect(reply.id != Reply<String> { _ in }.id)
    // No asker waits for it.
    decoded("x")
  }

  @Test func `the answer of a decoded reply reaches the asker`() throws {
    let answers = Log<String>()
    let reply = Reply<String> { _ in }
    let decoder = JSONDecoder()
    decoder.userInfo[.replyReturn] = ReplyReturn { id, answer in
      answers.append("\(id == reply.id) \((try? answer.get()) as Any)")
    }
    let data = try JSONEncoder().encode([reply, reply])
    let decoded = try decoder.decode([Reply<String>].self, from: data)
    decoded[0]("x")
    #expect(answers.entries == ["true Optional(\"x\")"])
    #expect(decoded.count == 2)
  }

  @Test func `large values and objects are returned whole, and are released`() async throws {
    final class Thing: Sendable {}
    struct Large: Sendable { let words = (1, 2, 3, 4, 5, 6); let thing: Thing }
    weak var thing: Thing?
    weak var abandoned: Thing?
    do {
      let given = Thing()
      thing = given
      let large = try await withCheckedThrowingContinuation { continuation in
        Reply<Large> { continuation.resume(with: $0) }(Large(thing: given))
      }
      #expect(large.words.5 == 6 && large.thing === given)
      // Answered again: the second answer is released.
      let kept = Thing()
      abandoned = kept
      let reply = Reply<Thing> { _ in }
      reply(kept)
      reply(kept)
    }
    #expect(thing == nil && abandoned == nil)
  }
}
